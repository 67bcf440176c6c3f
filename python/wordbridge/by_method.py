"""Alignment by method, with typed options: `align`, and estimators for scikit-learn.

Written by tools/python_options from the library's registry, for completion, `help` and type checkers; not by hand.
"""

# mypy: disable-error-code="misc"
# (An overload for any method, behind those for each, takes what they take.)

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Optional, Sequence, Union, overload

from ._running import ProgressLike
from .alignment import learned
from .estimators import RowAligner
from .mapping import Mapping

if TYPE_CHECKING:
    from .vectors import Path

__all__ = ["RCSLS", "Aligner", "LeastSquares", "Procrustes", "Smith", "VecMap", "align"]

MethodName = Literal[
    'auto', 'rcsls', 'procrustes', 'least-squares', 'vecmap', 'smith', 'artetxe', 'mikolov', 'unsupervised',
    'adversarial', 'icp', 'wasserstein', 'dinu']


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['auto'] = ..., normalize: Optional[str] = ...,
        threads: int = ..., seed: int = ..., progress: ProgressLike = ...,
        choose: Optional[Literal['needed', 'all']] = ..., no_lexicon: Optional[bool] = ...,
        refine: Optional[Union[int, Literal['auto']]] = ..., refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['rcsls'], normalize: Optional[str] = ...,
        threads: int = ..., seed: int = ..., progress: ProgressLike = ...,
        learning_rate: Optional[Union[float, Literal['auto']]] = ...,
        epochs: Optional[Union[int, Literal['auto']]] = ...,
        constraint: Optional[Literal['none', 'spectral', 'orthogonal']] = ...,
        pool: Optional[Literal['extended', 'train']] = ..., max_negatives: Optional[int] = ...,
        neighbors: Optional[int] = ..., loss: Optional[Literal['mean', 'logsumexp']] = ...,
        temperature: Optional[float] = ..., l2: Optional[float] = ..., batch: Optional[int] = ...,
        max_pairs: Optional[int] = ..., schedule: Optional[Literal['monotone', 'reference']] = ...,
        init: Optional[Path] = ..., select: Optional[Literal['automatic', 'none', 'validation', 'unsupervised']] = ...,
        validation_split: Optional[float] = ..., validation_words: Optional[Literal['rare', 'random']] = ...,
        select_learning_rates: Optional[Union[float, Sequence[float]]] = ...,
        select_epochs: Optional[Union[int, Sequence[int]]] = ...,
        select_blends: Optional[Union[float, Sequence[float]]] = ..., select_words: Optional[int] = ...,
        validation: Optional[Path] = ..., log: Optional[Path] = ..., checkpoint: Optional[Path] = ...,
        resume: Optional[bool] = ..., self_learn: Optional[bool] = ..., self_learn_rounds: Optional[int] = ...,
        self_learn_words: Optional[int] = ..., self_learn_weight: Optional[float] = ...,
        self_learn_identical: Optional[Union[float, Literal['auto']]] = ..., self_learn_spread: Optional[float] = ...,
        no_lexicon: Optional[bool] = ..., refine: Optional[Union[int, Literal['auto']]] = ...,
        refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['procrustes'], normalize: Optional[str] = ...,
        threads: int = ..., seed: int = ..., progress: ProgressLike = ..., self_learn: Optional[bool] = ...,
        self_learn_rounds: Optional[int] = ..., self_learn_words: Optional[int] = ...,
        self_learn_weight: Optional[float] = ..., self_learn_identical: Optional[Union[float, Literal['auto']]] = ...,
        self_learn_spread: Optional[float] = ..., no_lexicon: Optional[bool] = ...,
        refine: Optional[Union[int, Literal['auto']]] = ..., refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['least-squares'],
        normalize: Optional[str] = ..., threads: int = ..., seed: int = ..., progress: ProgressLike = ...,
        ridge: Optional[float] = ..., self_learn: Optional[bool] = ..., self_learn_rounds: Optional[int] = ...,
        self_learn_words: Optional[int] = ..., self_learn_weight: Optional[float] = ...,
        self_learn_identical: Optional[Union[float, Literal['auto']]] = ..., self_learn_spread: Optional[float] = ...,
        no_lexicon: Optional[bool] = ..., refine: Optional[Union[int, Literal['auto']]] = ...,
        refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['vecmap'], normalize: Optional[str] = ...,
        threads: int = ..., seed: int = ..., progress: ProgressLike = ...,
        dimensions: Optional[Union[int, Literal['all']]] = ..., reweight: Optional[float] = ...,
        self_learn: Optional[bool] = ..., self_learn_rounds: Optional[int] = ..., self_learn_words: Optional[int] = ...,
        self_learn_weight: Optional[float] = ..., self_learn_identical: Optional[Union[float, Literal['auto']]] = ...,
        self_learn_spread: Optional[float] = ..., no_lexicon: Optional[bool] = ...,
        refine: Optional[Union[int, Literal['auto']]] = ..., refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['smith'], normalize: Optional[str] = ...,
        threads: int = ..., seed: int = ..., progress: ProgressLike = ...,
        dimensions: Optional[Union[int, Literal['all']]] = ..., self_learn: Optional[bool] = ...,
        self_learn_rounds: Optional[int] = ..., self_learn_words: Optional[int] = ...,
        self_learn_weight: Optional[float] = ..., self_learn_identical: Optional[Union[float, Literal['auto']]] = ...,
        self_learn_spread: Optional[float] = ..., no_lexicon: Optional[bool] = ...,
        refine: Optional[Union[int, Literal['auto']]] = ..., refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['artetxe'], normalize: Optional[str] = ...,
        threads: int = ..., seed: int = ..., progress: ProgressLike = ..., self_learn: Optional[bool] = ...,
        self_learn_rounds: Optional[int] = ..., self_learn_words: Optional[int] = ...,
        self_learn_weight: Optional[float] = ..., self_learn_identical: Optional[Union[float, Literal['auto']]] = ...,
        self_learn_spread: Optional[float] = ..., no_lexicon: Optional[bool] = ...,
        refine: Optional[Union[int, Literal['auto']]] = ..., refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['mikolov'], normalize: Optional[str] = ...,
        threads: int = ..., seed: int = ..., progress: ProgressLike = ..., ridge: Optional[float] = ...,
        self_learn: Optional[bool] = ..., self_learn_rounds: Optional[int] = ..., self_learn_words: Optional[int] = ...,
        self_learn_weight: Optional[float] = ..., self_learn_identical: Optional[Union[float, Literal['auto']]] = ...,
        self_learn_spread: Optional[float] = ..., no_lexicon: Optional[bool] = ...,
        refine: Optional[Union[int, Literal['auto']]] = ..., refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['unsupervised'],
        normalize: Optional[str] = ..., threads: int = ..., seed: int = ..., progress: ProgressLike = ...,
        unsupervised_start: Optional[Literal['automatic', 'identical', 'profiles']] = ...,
        unsupervised_start_words: Optional[int] = ..., unsupervised_words: Optional[int] = ...,
        unsupervised_keep: Optional[float] = ..., unsupervised_patience: Optional[int] = ...,
        unsupervised_neighbors: Optional[int] = ..., validation: Optional[Path] = ..., log: Optional[Path] = ...,
        checkpoint: Optional[Path] = ..., resume: Optional[bool] = ..., restarts: Optional[int] = ...,
        min_evidence: Optional[float] = ..., refine: Optional[Union[int, Literal['auto']]] = ...,
        refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['adversarial'], normalize: Optional[str] = ...,
        threads: int = ..., seed: int = ..., progress: ProgressLike = ..., adversarial_hidden: Optional[int] = ...,
        adversarial_words: Optional[int] = ..., adversarial_dimensions: Optional[int] = ...,
        adversarial_epochs: Optional[int] = ..., adversarial_epoch_words: Optional[int] = ...,
        adversarial_batch: Optional[int] = ..., adversarial_discriminator_steps: Optional[int] = ...,
        adversarial_learning_rate: Optional[float] = ..., adversarial_mapping_rate: Optional[float] = ...,
        adversarial_decay: Optional[float] = ..., adversarial_smoothing: Optional[float] = ...,
        adversarial_orthogonality: Optional[float] = ..., adversarial_length: Optional[float] = ...,
        validation: Optional[Path] = ..., log: Optional[Path] = ..., checkpoint: Optional[Path] = ...,
        resume: Optional[bool] = ..., restarts: Optional[int] = ..., min_evidence: Optional[float] = ...,
        refine: Optional[Union[int, Literal['auto']]] = ..., refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['icp'], normalize: Optional[str] = ...,
        threads: int = ..., seed: int = ..., progress: ProgressLike = ..., icp_words: Optional[int] = ...,
        icp_final_words: Optional[int] = ..., icp_dimensions: Optional[int] = ..., icp_starts: Optional[int] = ...,
        icp_iterations: Optional[int] = ..., icp_final_iterations: Optional[Union[int, Literal['auto']]] = ...,
        icp_batch: Optional[int] = ..., icp_cycle: Optional[float] = ..., validation: Optional[Path] = ...,
        log: Optional[Path] = ..., checkpoint: Optional[Path] = ..., resume: Optional[bool] = ...,
        restarts: Optional[int] = ..., min_evidence: Optional[float] = ...,
        refine: Optional[Union[int, Literal['auto']]] = ..., refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['wasserstein'], normalize: Optional[str] = ...,
        threads: int = ..., seed: int = ..., progress: ProgressLike = ...,
        wasserstein_start: Optional[Literal['profiles', 'convex']] = ..., wasserstein_start_words: Optional[int] = ...,
        wasserstein_convex_steps: Optional[int] = ..., wasserstein_convex_regularization: Optional[float] = ...,
        wasserstein_epochs: Optional[int] = ..., wasserstein_words: Optional[int] = ...,
        wasserstein_batch: Optional[int] = ..., wasserstein_steps: Optional[int] = ...,
        wasserstein_learning_rate: Optional[float] = ..., wasserstein_regularization: Optional[float] = ...,
        validation: Optional[Path] = ..., log: Optional[Path] = ..., checkpoint: Optional[Path] = ...,
        resume: Optional[bool] = ..., restarts: Optional[int] = ..., min_evidence: Optional[float] = ...,
        refine: Optional[Union[int, Literal['auto']]] = ..., refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: Literal['dinu'], normalize: Optional[str] = ...,
        threads: int = ..., seed: int = ..., progress: ProgressLike = ..., ridge: Optional[float] = ...,
        self_learn: Optional[bool] = ..., self_learn_rounds: Optional[int] = ..., self_learn_words: Optional[int] = ...,
        self_learn_weight: Optional[float] = ..., self_learn_identical: Optional[Union[float, Literal['auto']]] = ...,
        self_learn_spread: Optional[float] = ..., no_lexicon: Optional[bool] = ...,
        refine: Optional[Union[int, Literal['auto']]] = ..., refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...) -> Mapping: ...


@overload
def align(
        source: Any, target: Any, lexicon: Any = ..., *, method: str, normalize: Optional[str] = ...,
        threads: int = ..., seed: int = ..., progress: ProgressLike = ...,
        choose: Optional[Literal['needed', 'all']] = ..., no_lexicon: Optional[bool] = ...,
        refine: Optional[Union[int, Literal['auto']]] = ..., refine_with: Optional[MethodName] = ...,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = ...,
        refine_rank: Optional[Union[int, Literal['all']]] = ..., refine_threshold: Optional[float] = ...,
        refine_min: Optional[int] = ..., refine_max: Optional[Union[int, Literal['all']]] = ...,
        rerank: Optional[bool] = ..., no_rerank: Optional[bool] = ..., rerank_features: Optional[str] = ...,
        copies: Optional[Literal['keep', 'learn', 'drop']] = ...,
        learning_rate: Optional[Union[float, Literal['auto']]] = ...,
        epochs: Optional[Union[int, Literal['auto']]] = ...,
        constraint: Optional[Literal['none', 'spectral', 'orthogonal']] = ...,
        pool: Optional[Literal['extended', 'train']] = ..., max_negatives: Optional[int] = ...,
        neighbors: Optional[int] = ..., loss: Optional[Literal['mean', 'logsumexp']] = ...,
        temperature: Optional[float] = ..., l2: Optional[float] = ..., batch: Optional[int] = ...,
        max_pairs: Optional[int] = ..., schedule: Optional[Literal['monotone', 'reference']] = ...,
        init: Optional[Path] = ..., select: Optional[Literal['automatic', 'none', 'validation', 'unsupervised']] = ...,
        validation_split: Optional[float] = ..., validation_words: Optional[Literal['rare', 'random']] = ...,
        select_learning_rates: Optional[Union[float, Sequence[float]]] = ...,
        select_epochs: Optional[Union[int, Sequence[int]]] = ...,
        select_blends: Optional[Union[float, Sequence[float]]] = ..., select_words: Optional[int] = ...,
        validation: Optional[Path] = ..., log: Optional[Path] = ..., checkpoint: Optional[Path] = ...,
        resume: Optional[bool] = ..., self_learn: Optional[bool] = ..., self_learn_rounds: Optional[int] = ...,
        self_learn_words: Optional[int] = ..., self_learn_weight: Optional[float] = ...,
        self_learn_identical: Optional[Union[float, Literal['auto']]] = ..., self_learn_spread: Optional[float] = ...,
        ridge: Optional[float] = ..., dimensions: Optional[Union[int, Literal['all']]] = ...,
        reweight: Optional[float] = ...,
        unsupervised_start: Optional[Literal['automatic', 'identical', 'profiles']] = ...,
        unsupervised_start_words: Optional[int] = ..., unsupervised_words: Optional[int] = ...,
        unsupervised_keep: Optional[float] = ..., unsupervised_patience: Optional[int] = ...,
        unsupervised_neighbors: Optional[int] = ..., restarts: Optional[int] = ..., min_evidence: Optional[float] = ...,
        adversarial_hidden: Optional[int] = ..., adversarial_words: Optional[int] = ...,
        adversarial_dimensions: Optional[int] = ..., adversarial_epochs: Optional[int] = ...,
        adversarial_epoch_words: Optional[int] = ..., adversarial_batch: Optional[int] = ...,
        adversarial_discriminator_steps: Optional[int] = ..., adversarial_learning_rate: Optional[float] = ...,
        adversarial_mapping_rate: Optional[float] = ..., adversarial_decay: Optional[float] = ...,
        adversarial_smoothing: Optional[float] = ..., adversarial_orthogonality: Optional[float] = ...,
        adversarial_length: Optional[float] = ..., icp_words: Optional[int] = ..., icp_final_words: Optional[int] = ...,
        icp_dimensions: Optional[int] = ..., icp_starts: Optional[int] = ..., icp_iterations: Optional[int] = ...,
        icp_final_iterations: Optional[Union[int, Literal['auto']]] = ..., icp_batch: Optional[int] = ...,
        icp_cycle: Optional[float] = ..., wasserstein_start: Optional[Literal['profiles', 'convex']] = ...,
        wasserstein_start_words: Optional[int] = ..., wasserstein_convex_steps: Optional[int] = ...,
        wasserstein_convex_regularization: Optional[float] = ..., wasserstein_epochs: Optional[int] = ...,
        wasserstein_words: Optional[int] = ..., wasserstein_batch: Optional[int] = ...,
        wasserstein_steps: Optional[int] = ..., wasserstein_learning_rate: Optional[float] = ...,
        wasserstein_regularization: Optional[float] = ...) -> Mapping: ...


def align(
        source: Any, target: Any, lexicon: Any = None, *, method: str = 'auto', normalize: Optional[str] = None,
        threads: int = 0, seed: int = 1, progress: ProgressLike = None,
        choose: Optional[Literal['needed', 'all']] = None, no_lexicon: Optional[bool] = None,
        refine: Optional[Union[int, Literal['auto']]] = None, refine_with: Optional[MethodName] = None,
        refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = None,
        refine_rank: Optional[Union[int, Literal['all']]] = None, refine_threshold: Optional[float] = None,
        refine_min: Optional[int] = None, refine_max: Optional[Union[int, Literal['all']]] = None,
        rerank: Optional[bool] = None, no_rerank: Optional[bool] = None, rerank_features: Optional[str] = None,
        copies: Optional[Literal['keep', 'learn', 'drop']] = None,
        learning_rate: Optional[Union[float, Literal['auto']]] = None,
        epochs: Optional[Union[int, Literal['auto']]] = None,
        constraint: Optional[Literal['none', 'spectral', 'orthogonal']] = None,
        pool: Optional[Literal['extended', 'train']] = None, max_negatives: Optional[int] = None,
        neighbors: Optional[int] = None, loss: Optional[Literal['mean', 'logsumexp']] = None,
        temperature: Optional[float] = None, l2: Optional[float] = None, batch: Optional[int] = None,
        max_pairs: Optional[int] = None, schedule: Optional[Literal['monotone', 'reference']] = None,
        init: Optional[Path] = None,
        select: Optional[Literal['automatic', 'none', 'validation', 'unsupervised']] = None,
        validation_split: Optional[float] = None, validation_words: Optional[Literal['rare', 'random']] = None,
        select_learning_rates: Optional[Union[float, Sequence[float]]] = None,
        select_epochs: Optional[Union[int, Sequence[int]]] = None,
        select_blends: Optional[Union[float, Sequence[float]]] = None, select_words: Optional[int] = None,
        validation: Optional[Path] = None, log: Optional[Path] = None, checkpoint: Optional[Path] = None,
        resume: Optional[bool] = None, self_learn: Optional[bool] = None, self_learn_rounds: Optional[int] = None,
        self_learn_words: Optional[int] = None, self_learn_weight: Optional[float] = None,
        self_learn_identical: Optional[Union[float, Literal['auto']]] = None, self_learn_spread: Optional[float] = None,
        ridge: Optional[float] = None, dimensions: Optional[Union[int, Literal['all']]] = None,
        reweight: Optional[float] = None,
        unsupervised_start: Optional[Literal['automatic', 'identical', 'profiles']] = None,
        unsupervised_start_words: Optional[int] = None, unsupervised_words: Optional[int] = None,
        unsupervised_keep: Optional[float] = None, unsupervised_patience: Optional[int] = None,
        unsupervised_neighbors: Optional[int] = None, restarts: Optional[int] = None,
        min_evidence: Optional[float] = None, adversarial_hidden: Optional[int] = None,
        adversarial_words: Optional[int] = None, adversarial_dimensions: Optional[int] = None,
        adversarial_epochs: Optional[int] = None, adversarial_epoch_words: Optional[int] = None,
        adversarial_batch: Optional[int] = None, adversarial_discriminator_steps: Optional[int] = None,
        adversarial_learning_rate: Optional[float] = None, adversarial_mapping_rate: Optional[float] = None,
        adversarial_decay: Optional[float] = None, adversarial_smoothing: Optional[float] = None,
        adversarial_orthogonality: Optional[float] = None, adversarial_length: Optional[float] = None,
        icp_words: Optional[int] = None, icp_final_words: Optional[int] = None, icp_dimensions: Optional[int] = None,
        icp_starts: Optional[int] = None, icp_iterations: Optional[int] = None,
        icp_final_iterations: Optional[Union[int, Literal['auto']]] = None, icp_batch: Optional[int] = None,
        icp_cycle: Optional[float] = None, wasserstein_start: Optional[Literal['profiles', 'convex']] = None,
        wasserstein_start_words: Optional[int] = None, wasserstein_convex_steps: Optional[int] = None,
        wasserstein_convex_regularization: Optional[float] = None, wasserstein_epochs: Optional[int] = None,
        wasserstein_words: Optional[int] = None, wasserstein_batch: Optional[int] = None,
        wasserstein_steps: Optional[int] = None, wasserstein_learning_rate: Optional[float] = None,
        wasserstein_regularization: Optional[float] = None, **unknown: Any) -> Mapping:
    """Learns a mapping from the vectors of two languages and a lexicon.

    ``lexicon`` is a :class:`Lexicon`, or what :func:`read_lexicon` makes one of; None for methods that learn without.
    ``normalize`` names other steps than the method's ("unit", "unit,center", "none"); ``progress`` is True for a bar,
    or a function. All other keyword arguments are options of the method; :func:`methods` tells what they mean, and None
    is what is usual.

    Where words are ids, or the same strings on both sides because they name the same things, their spelling teaches
    nothing: ``rerank_features="semantic"`` says so. Where it is plain to see, it is done anyway.

    >>> en, es = (read_vectors(f"data/sample/{language}.vec.xz") for language in ("en", "es"))
    >>> mapping = align(en, es, "data/sample/en-es.train.txt", method="procrustes")
    >>> mapping
    <Mapping by procrustes: 100 x 100>
    >>> align(en, es, "data/sample/en-es.train.txt", method="rcsls", lerning_rate=10)
    Traceback (most recent call last):
    ...
    wordbridge.errors.UsageError: there is no option 'lerning_rate'; did you mean learning_rate?
    """
    options = dict(
        choose=choose, no_lexicon=no_lexicon, refine=refine, refine_with=refine_with, refine_direction=refine_direction,
        refine_rank=refine_rank, refine_threshold=refine_threshold, refine_min=refine_min, refine_max=refine_max,
        rerank=rerank, no_rerank=no_rerank, rerank_features=rerank_features, copies=copies, learning_rate=learning_rate,
        epochs=epochs, constraint=constraint, pool=pool, max_negatives=max_negatives, neighbors=neighbors, loss=loss,
        temperature=temperature, l2=l2, batch=batch, max_pairs=max_pairs, schedule=schedule, init=init, select=select,
        validation_split=validation_split, validation_words=validation_words,
        select_learning_rates=select_learning_rates, select_epochs=select_epochs, select_blends=select_blends,
        select_words=select_words, validation=validation, log=log, checkpoint=checkpoint, resume=resume,
        self_learn=self_learn, self_learn_rounds=self_learn_rounds, self_learn_words=self_learn_words,
        self_learn_weight=self_learn_weight, self_learn_identical=self_learn_identical,
        self_learn_spread=self_learn_spread, ridge=ridge, dimensions=dimensions, reweight=reweight,
        unsupervised_start=unsupervised_start, unsupervised_start_words=unsupervised_start_words,
        unsupervised_words=unsupervised_words, unsupervised_keep=unsupervised_keep,
        unsupervised_patience=unsupervised_patience, unsupervised_neighbors=unsupervised_neighbors, restarts=restarts,
        min_evidence=min_evidence, adversarial_hidden=adversarial_hidden, adversarial_words=adversarial_words,
        adversarial_dimensions=adversarial_dimensions, adversarial_epochs=adversarial_epochs,
        adversarial_epoch_words=adversarial_epoch_words, adversarial_batch=adversarial_batch,
        adversarial_discriminator_steps=adversarial_discriminator_steps,
        adversarial_learning_rate=adversarial_learning_rate, adversarial_mapping_rate=adversarial_mapping_rate,
        adversarial_decay=adversarial_decay, adversarial_smoothing=adversarial_smoothing,
        adversarial_orthogonality=adversarial_orthogonality, adversarial_length=adversarial_length, icp_words=icp_words,
        icp_final_words=icp_final_words, icp_dimensions=icp_dimensions, icp_starts=icp_starts,
        icp_iterations=icp_iterations, icp_final_iterations=icp_final_iterations, icp_batch=icp_batch,
        icp_cycle=icp_cycle, wasserstein_start=wasserstein_start, wasserstein_start_words=wasserstein_start_words,
        wasserstein_convex_steps=wasserstein_convex_steps,
        wasserstein_convex_regularization=wasserstein_convex_regularization, wasserstein_epochs=wasserstein_epochs,
        wasserstein_words=wasserstein_words, wasserstein_batch=wasserstein_batch, wasserstein_steps=wasserstein_steps,
        wasserstein_learning_rate=wasserstein_learning_rate, wasserstein_regularization=wasserstein_regularization,
        **unknown)
    return learned(source, target, lexicon, method, normalize, threads, seed, progress, options)


class Aligner(RowAligner):
    """An estimator over any method that learns from pairs.

    Options of other methods than ``method`` must be None.

    Settings:

        method: one of auto, rcsls, procrustes, least-squares, vecmap, smith, artetxe, mikolov, dinu
        normalize: steps before the map: "none", "unit", "unit,center", ...; None: none for procrustes and
            least-squares, the paper's for the others
        fit_intercept: learn an intercept; None: where nothing is normalized
        into: where transform() puts rows: in the coordinates of y, or in the space that both sides share
        unit: rows come out with length 1
        threads: 0: all cores
        seed: of everything random
        choose: kinds of map to compare on held-out words: the usual one with VecMap's plain map, and the others where
            it seems to lose (needed), or all (usually needed)
        refine: rounds after the method: the best pairs of frequent words by CSLS become the lexicon of another fit;
            auto: 5 for methods without a lexicon, 0 for the others (usually auto)
        refine_with: the method of these fits (usually procrustes)
        refine_direction: pairs that are best for both words (intersection), for the source word, for the target word,
            or for one of them (usually intersection)
        refine_rank: leave out pairs with a word beyond this frequency rank, or none (all) (usually 10000)
        refine_threshold: leave out pairs whose score is not this much above the second best (usually 0)
        refine_min: keep so many pairs all the same, the surest (usually 0)
        refine_max: keep at most so many pairs, the surest (usually all)
        learning_rate: length of the first steps; auto: selected on held-out words, or 25 (from vecmap 2) (usually auto)
        epochs: steps; auto: selected on held-out words, or 10 (from vecmap 3) (usually auto)
        constraint: what W must be: any matrix (none), of spectral norm at most 1, or orthogonal (usually none)
        pool: words among which neighbors are looked for: of the whole vocabularies (extended), or of the lexicon
            (usually extended)
        max_negatives: most frequent words of each language in the extended pool (usually 200000)
        neighbors: k, the neighbors in the loss (usually 10)
        loss: what is taken of the neighbors' scores (usually mean)
        temperature: temperature of logsumexp (usually 1)
        l2: weight decay (usually 0)
        batch: pairs a step, drawn anew each time; 0: all (usually 0)
        max_pairs: use the first so many pairs; 0: all (usually 0)
        schedule: what happens when the loss rises: the step is taken back and halved (monotone), or what the published
            script does (usually monotone)
        init: procrustes, vecmap, identity, or a mapping (.wbmap) of any method to start from, whose normalization and
            target side are kept (usually procrustes)
        select: how settings are chosen: on held-out words where no learning rate is named, and near the start where the
            lexicon has fewer than 1500 source words (automatic), not at all, on held-out words, or by how well the
            frequent words of both languages find each other (usually automatic)
        validation_split: share of the lexicon's source words held out (usually 0.1)
        validation_words: which are held out: some of the rarer half, like the words to be translated (rare), or any
            (usually rare)
        select_learning_rates: learning rates to select from, joined by commas (usually 1,10,25,50)
        select_epochs: numbers of steps to select from (usually 10,20)
        select_blends: shares of the way from the start to the trained map to select from (usually 0.25,0.5,1)
        select_words: most frequent words of each language that the choice without held-out words looks at (usually
            10000)
        self_learn: learn also from frequent words that are each other's best by CSLS, round by round, and at first from
            words that both languages write alike (usually false)
        self_learn_rounds: rounds in which words that are each other's best join the lexicon (usually 3)
        self_learn_words: most frequent words of each language among which these are found (usually 15000)
        self_learn_weight: their weight; a pair of the lexicon has 1 (usually 1)
        self_learn_spread: pairs of words with several translations lose weight: it is divided by the numbers of
            translations of both words to this power (usually 0.5)
        ridge: weight of ||W||^2 in the sum of squares (usually 0)
        dimensions: leading axes to keep, or all (usually all)
        reweight: the axes are weighed by their correlation to this power (usually 0.5)
    """

    def __init__(
            self, method: str = 'procrustes', *, normalize: Optional[str] = None, fit_intercept: Optional[bool] = None,
            into: Literal['target', 'common'] = 'target', unit: bool = False, threads: int = 0, seed: int = 1,
            choose: Optional[Literal['needed', 'all']] = None, refine: Optional[Union[int, Literal['auto']]] = None,
            refine_with: Optional[MethodName] = None,
            refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = None,
            refine_rank: Optional[Union[int, Literal['all']]] = None, refine_threshold: Optional[float] = None,
            refine_min: Optional[int] = None, refine_max: Optional[Union[int, Literal['all']]] = None,
            learning_rate: Optional[Union[float, Literal['auto']]] = None,
            epochs: Optional[Union[int, Literal['auto']]] = None,
            constraint: Optional[Literal['none', 'spectral', 'orthogonal']] = None,
            pool: Optional[Literal['extended', 'train']] = None, max_negatives: Optional[int] = None,
            neighbors: Optional[int] = None, loss: Optional[Literal['mean', 'logsumexp']] = None,
            temperature: Optional[float] = None, l2: Optional[float] = None, batch: Optional[int] = None,
            max_pairs: Optional[int] = None, schedule: Optional[Literal['monotone', 'reference']] = None,
            init: Optional[Path] = None,
            select: Optional[Literal['automatic', 'none', 'validation', 'unsupervised']] = None,
            validation_split: Optional[float] = None, validation_words: Optional[Literal['rare', 'random']] = None,
            select_learning_rates: Optional[Union[float, Sequence[float]]] = None,
            select_epochs: Optional[Union[int, Sequence[int]]] = None,
            select_blends: Optional[Union[float, Sequence[float]]] = None, select_words: Optional[int] = None,
            self_learn: Optional[bool] = None, self_learn_rounds: Optional[int] = None,
            self_learn_words: Optional[int] = None, self_learn_weight: Optional[float] = None,
            self_learn_spread: Optional[float] = None, ridge: Optional[float] = None,
            dimensions: Optional[Union[int, Literal['all']]] = None, reweight: Optional[float] = None) -> None:
        self._take(locals())


class Procrustes(RowAligner):
    """Orthogonal Procrustes: the rotation that brings X next to y, after centering both.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X = rng.standard_normal((50, 4))
    >>> y = X @ np.linalg.qr(rng.standard_normal((4, 4)))[0] + 3
    >>> np.allclose(Procrustes().fit(X, y).transform(X), y, atol=1e-4)
    True

    Settings:

        normalize: steps before the map: "none", "unit", "unit,center", ...; None: none
        fit_intercept: learn an intercept; None: where nothing is normalized
        into: where transform() puts rows: in the coordinates of y, or in the space that both sides share
        unit: rows come out with length 1
        threads: 0: all cores
        seed: of everything random
        self_learn: learn also from frequent words that are each other's best by CSLS, round by round, and at first from
            words that both languages write alike (usually false)
        self_learn_rounds: rounds in which words that are each other's best join the lexicon (usually 3)
        self_learn_words: most frequent words of each language among which these are found (usually 15000)
        self_learn_weight: their weight; a pair of the lexicon has 1 (usually 1)
        self_learn_spread: pairs of words with several translations lose weight: it is divided by the numbers of
            translations of both words to this power (usually 0.5)
        refine: rounds after the method: the best pairs of frequent words by CSLS become the lexicon of another fit;
            auto: 5 for methods without a lexicon, 0 for the others (usually auto)
        refine_with: the method of these fits (usually procrustes)
        refine_direction: pairs that are best for both words (intersection), for the source word, for the target word,
            or for one of them (usually intersection)
        refine_rank: leave out pairs with a word beyond this frequency rank, or none (all) (usually 10000)
        refine_threshold: leave out pairs whose score is not this much above the second best (usually 0)
        refine_min: keep so many pairs all the same, the surest (usually 0)
        refine_max: keep at most so many pairs, the surest (usually all)
    """

    method = 'procrustes'

    def __init__(
            self, *, normalize: Optional[str] = None, fit_intercept: Optional[bool] = None,
            into: Literal['target', 'common'] = 'target', unit: bool = False, threads: int = 0, seed: int = 1,
            self_learn: Optional[bool] = None, self_learn_rounds: Optional[int] = None,
            self_learn_words: Optional[int] = None, self_learn_weight: Optional[float] = None,
            self_learn_spread: Optional[float] = None, refine: Optional[Union[int, Literal['auto']]] = None,
            refine_with: Optional[MethodName] = None,
            refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = None,
            refine_rank: Optional[Union[int, Literal['all']]] = None, refine_threshold: Optional[float] = None,
            refine_min: Optional[int] = None, refine_max: Optional[Union[int, Literal['all']]] = None) -> None:
        self._take(locals())


class LeastSquares(RowAligner):
    """Least squares with an intercept: transform(X) is the estimate of y.

    ``normalize="unit"`` and ``fit_intercept=False`` make it the method of papers on word vectors, which bring rows to
    length 1 first.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X, M = rng.standard_normal((50, 4)), rng.standard_normal((4, 3))
    >>> np.allclose(LeastSquares().fit(X, X @ M + 1).transform(X), X @ M + 1, atol=1e-4)
    True

    Settings:

        normalize: steps before the map: "none", "unit", "unit,center", ...; None: none
        fit_intercept: learn an intercept; None: where nothing is normalized
        into: where transform() puts rows: in the coordinates of y, or in the space that both sides share
        unit: rows come out with length 1
        threads: 0: all cores
        seed: of everything random
        ridge: weight of ||W||^2 in the sum of squares (usually 0)
        self_learn: learn also from frequent words that are each other's best by CSLS, round by round, and at first from
            words that both languages write alike (usually false)
        self_learn_rounds: rounds in which words that are each other's best join the lexicon (usually 3)
        self_learn_words: most frequent words of each language among which these are found (usually 15000)
        self_learn_weight: their weight; a pair of the lexicon has 1 (usually 1)
        self_learn_spread: pairs of words with several translations lose weight: it is divided by the numbers of
            translations of both words to this power (usually 0.5)
        refine: rounds after the method: the best pairs of frequent words by CSLS become the lexicon of another fit;
            auto: 5 for methods without a lexicon, 0 for the others (usually auto)
        refine_with: the method of these fits (usually procrustes)
        refine_direction: pairs that are best for both words (intersection), for the source word, for the target word,
            or for one of them (usually intersection)
        refine_rank: leave out pairs with a word beyond this frequency rank, or none (all) (usually 10000)
        refine_threshold: leave out pairs whose score is not this much above the second best (usually 0)
        refine_min: keep so many pairs all the same, the surest (usually 0)
        refine_max: keep at most so many pairs, the surest (usually all)
    """

    method = 'least-squares'

    def __init__(
            self, *, normalize: Optional[str] = None, fit_intercept: Optional[bool] = None,
            into: Literal['target', 'common'] = 'target', unit: bool = False, threads: int = 0, seed: int = 1,
            ridge: Optional[float] = None, self_learn: Optional[bool] = None, self_learn_rounds: Optional[int] = None,
            self_learn_words: Optional[int] = None, self_learn_weight: Optional[float] = None,
            self_learn_spread: Optional[float] = None, refine: Optional[Union[int, Literal['auto']]] = None,
            refine_with: Optional[MethodName] = None,
            refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = None,
            refine_rank: Optional[Union[int, Literal['all']]] = None, refine_threshold: Optional[float] = None,
            refine_min: Optional[int] = None, refine_max: Optional[Union[int, Literal['all']]] = None) -> None:
        self._take(locals())


class RCSLS(RowAligner):
    """The map that minimizes the relaxed CSLS loss (Joulin et al. 2018); neighbors are looked for among the rows.

    It is learned from rows of length 1, and applied to rows as they are.

    Settings:

        normalize: steps before the map: "none", "unit", "unit,center", ...; None: unit
        into: where transform() puts rows: in the coordinates of y, or in the space that both sides share
        unit: rows come out with length 1
        threads: 0: all cores
        seed: of everything random
        learning_rate: length of the first steps; auto: selected on held-out words, or 25 (from vecmap 2) (usually auto)
        epochs: steps; auto: selected on held-out words, or 10 (from vecmap 3) (usually auto)
        constraint: what W must be: any matrix (none), of spectral norm at most 1, or orthogonal (usually none)
        pool: words among which neighbors are looked for: of the whole vocabularies (extended), or of the lexicon
            (usually extended)
        max_negatives: most frequent words of each language in the extended pool (usually 200000)
        neighbors: k, the neighbors in the loss (usually 10)
        loss: what is taken of the neighbors' scores (usually mean)
        temperature: temperature of logsumexp (usually 1)
        l2: weight decay (usually 0)
        batch: pairs a step, drawn anew each time; 0: all (usually 0)
        max_pairs: use the first so many pairs; 0: all (usually 0)
        schedule: what happens when the loss rises: the step is taken back and halved (monotone), or what the published
            script does (usually monotone)
        init: procrustes, vecmap, identity, or a mapping (.wbmap) of any method to start from, whose normalization and
            target side are kept (usually procrustes)
        select: how settings are chosen: on held-out words where no learning rate is named, and near the start where the
            lexicon has fewer than 1500 source words (automatic), not at all, on held-out words, or by how well the
            frequent words of both languages find each other (usually automatic)
        validation_split: share of the lexicon's source words held out (usually 0.1)
        validation_words: which are held out: some of the rarer half, like the words to be translated (rare), or any
            (usually rare)
        select_learning_rates: learning rates to select from, joined by commas (usually 1,10,25,50)
        select_epochs: numbers of steps to select from (usually 10,20)
        select_blends: shares of the way from the start to the trained map to select from (usually 0.25,0.5,1)
        select_words: most frequent words of each language that the choice without held-out words looks at (usually
            10000)
        self_learn: learn also from frequent words that are each other's best by CSLS, round by round, and at first from
            words that both languages write alike (usually false)
        self_learn_rounds: rounds in which words that are each other's best join the lexicon (usually 3)
        self_learn_words: most frequent words of each language among which these are found (usually 15000)
        self_learn_weight: their weight; a pair of the lexicon has 1 (usually 1)
        self_learn_spread: pairs of words with several translations lose weight: it is divided by the numbers of
            translations of both words to this power (usually 0.5)
        refine: rounds after the method: the best pairs of frequent words by CSLS become the lexicon of another fit;
            auto: 5 for methods without a lexicon, 0 for the others (usually auto)
        refine_with: the method of these fits (usually procrustes)
        refine_direction: pairs that are best for both words (intersection), for the source word, for the target word,
            or for one of them (usually intersection)
        refine_rank: leave out pairs with a word beyond this frequency rank, or none (all) (usually 10000)
        refine_threshold: leave out pairs whose score is not this much above the second best (usually 0)
        refine_min: keep so many pairs all the same, the surest (usually 0)
        refine_max: keep at most so many pairs, the surest (usually all)
    """

    method = 'rcsls'

    def __init__(
            self, *, normalize: Optional[str] = None, into: Literal['target', 'common'] = 'target', unit: bool = False,
            threads: int = 0, seed: int = 1, learning_rate: Optional[Union[float, Literal['auto']]] = None,
            epochs: Optional[Union[int, Literal['auto']]] = None,
            constraint: Optional[Literal['none', 'spectral', 'orthogonal']] = None,
            pool: Optional[Literal['extended', 'train']] = None, max_negatives: Optional[int] = None,
            neighbors: Optional[int] = None, loss: Optional[Literal['mean', 'logsumexp']] = None,
            temperature: Optional[float] = None, l2: Optional[float] = None, batch: Optional[int] = None,
            max_pairs: Optional[int] = None, schedule: Optional[Literal['monotone', 'reference']] = None,
            init: Optional[Path] = None,
            select: Optional[Literal['automatic', 'none', 'validation', 'unsupervised']] = None,
            validation_split: Optional[float] = None, validation_words: Optional[Literal['rare', 'random']] = None,
            select_learning_rates: Optional[Union[float, Sequence[float]]] = None,
            select_epochs: Optional[Union[int, Sequence[int]]] = None,
            select_blends: Optional[Union[float, Sequence[float]]] = None, select_words: Optional[int] = None,
            self_learn: Optional[bool] = None, self_learn_rounds: Optional[int] = None,
            self_learn_words: Optional[int] = None, self_learn_weight: Optional[float] = None,
            self_learn_spread: Optional[float] = None, refine: Optional[Union[int, Literal['auto']]] = None,
            refine_with: Optional[MethodName] = None,
            refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = None,
            refine_rank: Optional[Union[int, Literal['all']]] = None, refine_threshold: Optional[float] = None,
            refine_min: Optional[int] = None, refine_max: Optional[Union[int, Literal['all']]] = None) -> None:
        self._take(locals())


class VecMap(RowAligner):
    """VecMap's supervised map, with whitening and re-weighting.

    It moves both sides. transform(X) goes on into the coordinates of y, where rows can be compared with y as it is;
    ``into="common"`` stays in the space that both sides share, which is better for retrieval: compare transform(X) with
    transform_target(y) there.

    Settings:

        normalize: steps before the map: "none", "unit", "unit,center", ...; None: unit,center,unit
        into: where transform() puts rows: in the coordinates of y, or in the space that both sides share
        unit: rows come out with length 1
        threads: 0: all cores
        seed: of everything random
        dimensions: leading axes to keep, or all (usually all)
        reweight: the axes are weighed by their correlation to this power (usually 0.5)
        self_learn: learn also from frequent words that are each other's best by CSLS, round by round, and at first from
            words that both languages write alike (usually false)
        self_learn_rounds: rounds in which words that are each other's best join the lexicon (usually 3)
        self_learn_words: most frequent words of each language among which these are found (usually 15000)
        self_learn_weight: their weight; a pair of the lexicon has 1 (usually 1)
        self_learn_spread: pairs of words with several translations lose weight: it is divided by the numbers of
            translations of both words to this power (usually 0.5)
        refine: rounds after the method: the best pairs of frequent words by CSLS become the lexicon of another fit;
            auto: 5 for methods without a lexicon, 0 for the others (usually auto)
        refine_with: the method of these fits (usually procrustes)
        refine_direction: pairs that are best for both words (intersection), for the source word, for the target word,
            or for one of them (usually intersection)
        refine_rank: leave out pairs with a word beyond this frequency rank, or none (all) (usually 10000)
        refine_threshold: leave out pairs whose score is not this much above the second best (usually 0)
        refine_min: keep so many pairs all the same, the surest (usually 0)
        refine_max: keep at most so many pairs, the surest (usually all)
    """

    method = 'vecmap'

    def __init__(
            self, *, normalize: Optional[str] = None, into: Literal['target', 'common'] = 'target', unit: bool = False,
            threads: int = 0, seed: int = 1, dimensions: Optional[Union[int, Literal['all']]] = None,
            reweight: Optional[float] = None, self_learn: Optional[bool] = None,
            self_learn_rounds: Optional[int] = None, self_learn_words: Optional[int] = None,
            self_learn_weight: Optional[float] = None, self_learn_spread: Optional[float] = None,
            refine: Optional[Union[int, Literal['auto']]] = None, refine_with: Optional[MethodName] = None,
            refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = None,
            refine_rank: Optional[Union[int, Literal['all']]] = None, refine_threshold: Optional[float] = None,
            refine_min: Optional[int] = None, refine_max: Optional[Union[int, Literal['all']]] = None) -> None:
        self._take(locals())


class Smith(RowAligner):
    """Smith's orthogonal maps of both sides, which may leave out the last dimensions.

    transform(X) goes on into the coordinates of y; ``into="common"`` stays in the space that both sides share: compare
    transform(X) with transform_target(y) there.

    Settings:

        normalize: steps before the map: "none", "unit", "unit,center", ...; None: unit
        into: where transform() puts rows: in the coordinates of y, or in the space that both sides share
        unit: rows come out with length 1
        threads: 0: all cores
        seed: of everything random
        dimensions: leading axes to keep, or all (usually all)
        self_learn: learn also from frequent words that are each other's best by CSLS, round by round, and at first from
            words that both languages write alike (usually false)
        self_learn_rounds: rounds in which words that are each other's best join the lexicon (usually 3)
        self_learn_words: most frequent words of each language among which these are found (usually 15000)
        self_learn_weight: their weight; a pair of the lexicon has 1 (usually 1)
        self_learn_spread: pairs of words with several translations lose weight: it is divided by the numbers of
            translations of both words to this power (usually 0.5)
        refine: rounds after the method: the best pairs of frequent words by CSLS become the lexicon of another fit;
            auto: 5 for methods without a lexicon, 0 for the others (usually auto)
        refine_with: the method of these fits (usually procrustes)
        refine_direction: pairs that are best for both words (intersection), for the source word, for the target word,
            or for one of them (usually intersection)
        refine_rank: leave out pairs with a word beyond this frequency rank, or none (all) (usually 10000)
        refine_threshold: leave out pairs whose score is not this much above the second best (usually 0)
        refine_min: keep so many pairs all the same, the surest (usually 0)
        refine_max: keep at most so many pairs, the surest (usually all)
    """

    method = 'smith'

    def __init__(
            self, *, normalize: Optional[str] = None, into: Literal['target', 'common'] = 'target', unit: bool = False,
            threads: int = 0, seed: int = 1, dimensions: Optional[Union[int, Literal['all']]] = None,
            self_learn: Optional[bool] = None, self_learn_rounds: Optional[int] = None,
            self_learn_words: Optional[int] = None, self_learn_weight: Optional[float] = None,
            self_learn_spread: Optional[float] = None, refine: Optional[Union[int, Literal['auto']]] = None,
            refine_with: Optional[MethodName] = None,
            refine_direction: Optional[Literal['intersection', 'source-to-target', 'target-to-source', 'union']] = None,
            refine_rank: Optional[Union[int, Literal['all']]] = None, refine_threshold: Optional[float] = None,
            refine_min: Optional[int] = None, refine_max: Optional[Union[int, Literal['all']]] = None) -> None:
        self._take(locals())
