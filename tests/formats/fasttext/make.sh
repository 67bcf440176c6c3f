#!/bin/sh -eu
# Makes the models and the vectors that fastText itself gives for their words and for unknown.txt.
# Needs Debian's fasttext (0.9.2). Each run gives other numbers; models and vectors then change together. Ten threads,
# because with fewer this version leaves a part of the matrix without random start.
cd "$(dirname "$0")"
sed 's/^__label__[a-z]* //' corpus.txt > plain.txt
options="-dim 6 -epoch 5 -minCount 1 -thread 10 -verbose 0"
fasttext skipgram -input plain.txt -output subwords $options -bucket 150 -minn 2 -maxn 4
fasttext cbow -input plain.txt -output words $options -maxn 0
fasttext supervised -input corpus.txt -output classifier $options -bucket 300 -minn 1 -maxn 3 -wordNgrams 2
fasttext quantize -input corpus.txt -output classifier -dsub 4 -verbose 0
mv classifier.ftz quantized.ftz
fasttext quantize -input corpus.txt -output classifier -dsub 4 -qnorm -cutoff 270 -verbose 0
mv classifier.ftz pruned.ftz
tr ' ' '\n' < plain.txt | LC_ALL=C sort -u > known.txt
echo '</s>' >> known.txt
for model in subwords.bin words.bin classifier.bin quantized.ftz pruned.ftz; do
  cat known.txt unknown.txt | fasttext print-word-vectors $model > ${model%.*}.expected.txt
done
rm -f plain.txt known.txt ./*.vec
