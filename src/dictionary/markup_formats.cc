#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "dictionary/dictionary.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

using Translation = Dictionary::Translation;

/// Text and values of attributes.
std::string xml_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string xml_word(const std::string& word) { return xml_text(readable_word(word)); }

/// Apertium's blanks are elements.
std::string dix_word(const std::string& word) {
  std::string result;
  for (const char c : xml_word(word)) result += c == ' ' ? "<b/>" : std::string(1, c);
  return result;
}

/// A pair and the directions that name it, with what is known of it in each.
struct BothWays {
  const Translation* forward = nullptr;
  const Translation* backward = nullptr;
};
using PairKey = std::pair<std::string, std::string>;  // source and target of the first direction

/// In the order of the first direction; what only the way back names comes behind.
std::vector<std::pair<PairKey, BothWays>> merged(std::span<const Dictionary> directions) {
  std::vector<std::pair<PairKey, BothWays>> pairs;
  std::map<PairKey, std::size_t> places;
  const auto at = [&](PairKey key) -> BothWays& {
    const auto [found, is_new] = places.try_emplace(key, pairs.size());
    if (is_new) pairs.push_back({std::move(key), {}});
    return pairs[found->second].second;
  };
  for (std::size_t way = 0; way < directions.size(); ++way)
    for (const Dictionary::Entry& entry : directions[way].entries)
      for (const Translation& one : entry.translations) {
        if (way == 0)
          at({entry.word, one.word}).forward = &one;
        else
          at({one.word, entry.word}).backward = &one;
      }
  return pairs;
}

/// The larger of what both directions say.
std::optional<double> probability_of(const BothWays& pair) {
  std::optional<double> best;
  for (const Translation* one : {pair.forward, pair.backward})
    if (one != nullptr)
      if (const auto& own = one->p_translation ? one->p_translation : one->p_first; own && (!best || *own > *best))
        best = own;
  return best;
}

bool is_known(const BothWays& pair) {
  return (pair.forward != nullptr && pair.forward->known) || (pair.backward != nullptr && pair.backward->known);
}

/// Lower is better, as costs are.
std::string weight_of(const BothWays& pair) {
  const std::optional<double> probability = is_known(pair) ? std::optional(1.0) : probability_of(pair);
  return probability && *probability > 0 ? fmt::format(" w=\"{:.4f}\"", std::max(0.0, -std::log(*probability))) : "";
}

std::string made_by() { return fmt::format("wordbridge {}", version()); }

}  // namespace

std::string to_apertium(std::span<const Dictionary> directions) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {}, by {} -->\n<dictionary>\n  <alphabet/>\n  <section "
      "id=\"main\" type=\"standard\">\n",
      xml_text(directions.front().pair()), xml_text(made_by()));
  const bool both = directions.size() > 1;
  for (const auto& [key, pair] : merged(directions)) {
    const char* restriction = pair.backward == nullptr ? " r=\"LR\"" : pair.forward == nullptr ? " r=\"RL\"" : "";
    fmt::format_to(std::back_inserter(text), "    <e{}{}><p><l>{}</l><r>{}</r></p></e>\n", both ? restriction : "",
                   weight_of(pair), dix_word(key.first), dix_word(key.second));
  }
  return text + "  </section>\n</dictionary>\n";
}

std::string to_tmx(std::span<const Dictionary> directions) {
  const Dictionary& first = directions.front();
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tmx version=\"1.4\">\n  <header creationtool=\"wordbridge\" "
      "creationtoolversion=\"{}\" segtype=\"phrase\" o-tmf=\"wordbridge\" adminlang=\"en\" srclang=\"{}\" "
      "datatype=\"plaintext\"/>\n  <body>\n",
      xml_text(version()), xml_text(first.source_language));
  const auto variant = [](const std::string& language, const std::string& word) {
    return fmt::format("<tuv xml:lang=\"{}\"><seg>{}</seg></tuv>", xml_text(language), xml_word(word));
  };
  for (const auto& [key, pair] : merged(directions)) {
    text += "    <tu>";
    if (is_known(pair)) text += "<prop type=\"known\">true</prop>";
    for (const auto& [one, way] : {std::pair(pair.forward, "forward"), std::pair(pair.backward, "backward")}) {
      if (one == nullptr) continue;
      if (one->p_translation)
        text += fmt::format("<prop type=\"p-translation-{}\">{:.4f}</prop>", way, *one->p_translation);
      if (one->p_first) text += fmt::format("<prop type=\"p-first-{}\">{:.4f}</prop>", way, *one->p_first);
    }
    text += variant(first.source_language, key.first) + variant(first.target_language, key.second) + "</tu>\n";
  }
  return text + "  </body>\n</tmx>\n";
}

std::string to_lift(const Dictionary& dictionary) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<lift version=\"0.13\" producer=\"{}\">\n", xml_text(made_by()));
  const auto form = [](const std::string& language, const std::string& word) {
    return fmt::format("lang=\"{}\"><text>{}</text>", xml_text(language), xml_word(word));
  };
  std::size_t number = 0;
  for (const Dictionary::Entry& entry : dictionary.entries) {
    fmt::format_to(std::back_inserter(text), "  <entry id=\"e{}\"><lexical-unit><form {}</form></lexical-unit>\n",
                   ++number, form(dictionary.source_language, entry.word));
    std::size_t order = 0;
    for (const Translation& one : entry.translations) {
      fmt::format_to(std::back_inserter(text), "    <sense id=\"e{}.s{}\" order=\"{}\"><gloss {}</gloss>", number,
                     order + 1, order, form(dictionary.target_language, one.word));
      ++order;
      if (one.known) text += "<trait name=\"known\" value=\"true\"/>";
      if (one.p_translation)
        text += fmt::format("<trait name=\"p-translation\" value=\"{:.4f}\"/>", *one.p_translation);
      if (one.p_first) text += fmt::format("<trait name=\"p-first\" value=\"{:.4f}\"/>", *one.p_first);
      for (const std::string& other : one.forms)
        text += fmt::format("<trait name=\"form\" value=\"{}\"/>", xml_word(other));
      text += "</sense>\n";
    }
    text += "  </entry>\n";
  }
  return text + "</lift>\n";
}

std::string to_tei(const Dictionary& dictionary) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TEI xmlns=\"http://www.tei-c.org/ns/1.0\">\n  <teiHeader>\n    "
      "<fileDesc>\n      <titleStmt><title>{0} dictionary</title></titleStmt>\n      <editionStmt><edition>1</edition>"
      "</editionStmt>\n      <extent>{1} headwords</extent>\n      <publicationStmt><p>Not published.</p>"
      "</publicationStmt>\n      <sourceDesc><p>Found in word vectors by {2}.</p></sourceDesc>\n    </fileDesc>\n  "
      "</teiHeader>\n  <text>\n    <body xml:lang=\"{3}\">\n",
      xml_text(dictionary.pair()), dictionary.entries.size(), xml_text(made_by()),
      xml_text(dictionary.source_language));
  for (const Dictionary::Entry& entry : dictionary.entries) {
    text += fmt::format("      <entry>\n        <form><orth>{}</orth></form>\n", xml_word(entry.word));
    std::size_t number = 0;
    for (const Translation& one : entry.translations) {
      text += fmt::format("        <sense n=\"{}\"><cit type=\"trans\" xml:lang=\"{}\"><quote>{}</quote>", ++number,
                          xml_text(dictionary.target_language), xml_word(one.word));
      for (const std::string& other : one.forms)
        text += fmt::format("<form type=\"inflected\"><orth>{}</orth></form>", xml_word(other));
      text += "</cit>";
      if (one.known)
        text += "<note type=\"known\">known</note>";
      else if (const auto& probability = one.p_translation ? one.p_translation : one.p_first)
        text += fmt::format("<note type=\"probability\">{}</note>", xml_text(percent_text(*probability)));
      text += "</sense>\n";
    }
    text += "      </entry>\n";
  }
  return text + "    </body>\n  </text>\n</TEI>\n";
}

}  // namespace wordbridge
