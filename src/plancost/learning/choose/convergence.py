"""Have chains mixed? Split R-hat and effective sample size, by ranks.

As in Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021): draws are replaced by normal scores
of their ranks, each chain is cut into halves, and R-hat compares the variance between halves with
that within. The effective sample size is the number of independent draws that would say as much;
it comes from autocorrelations, added up in pairs as long as these are positive (Geyer 1992).
Both are computed for all parameters at once. `draws` has the axes parameter, chain, draw.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata

from plancost.learning.choose.prior import Vector


def normal_scores(draws: Vector) -> Vector:
    """The ranks of the draws of each parameter, as quantiles of a normal distribution."""
    flat = draws.reshape(len(draws), -1)
    ranks = rankdata(flat, axis=1)
    return np.asarray(ndtri((ranks - 0.375) / (flat.shape[1] + 0.25)).reshape(draws.shape))


def split(draws: Vector) -> Vector:
    """Each chain as two: its first and its second half."""
    half = draws.shape[2] // 2
    return np.concatenate([draws[:, :, :half], draws[:, :, -half:]], axis=1)


def r_hat(draws: Vector) -> Vector:
    """Split R-hat of each parameter by ranks; 1 where all draws are the same."""
    halves = split(normal_scores(draws))
    within, pooled = _variances(halves)
    return np.sqrt(np.divide(pooled, within, out=np.ones(len(draws)), where=within > 0))


def effective_size(draws: Vector) -> Vector:
    """The effective sample size of the mean of each parameter, by ranks."""
    halves = split(normal_scores(draws))
    parameters, chains, count = halves.shape
    within, pooled = _variances(halves)
    covariance = _autocovariances(halves)
    safe = np.where(pooled > 0, pooled, 1.0)[:, None]
    correlation = 1.0 - (within[:, None] - covariance) / safe
    correlation[:, 0] = 1.0
    usable = count - count % 2
    pairs = correlation[:, :usable].reshape(parameters, -1, 2).sum(axis=2)
    pairs = np.where(np.cumprod(pairs > 0, axis=1).astype(bool), pairs, 0.0)
    pairs = np.minimum.accumulate(pairs, axis=1)
    time = np.maximum(-1.0 + 2.0 * pairs.sum(axis=1), 1.0 / np.log10(chains * count))
    return np.where(pooled > 0, chains * count / time, float(chains * count))


def _variances(halves: Vector) -> tuple[Vector, Vector]:
    """Within chains, and of all together."""
    count = halves.shape[2]
    within = halves.var(axis=2, ddof=1).mean(axis=1)
    between = halves.mean(axis=2).var(axis=1, ddof=1)
    return within, (count - 1) / count * within + between


def _autocovariances(halves: Vector) -> Vector:
    """The mean over chains of the autocovariance at each lag."""
    count = halves.shape[2]
    centred = halves - halves.mean(axis=2, keepdims=True)
    size = 2 ** int(np.ceil(np.log2(2 * count)))
    spectrum = np.abs(np.fft.rfft(centred, n=size, axis=2)) ** 2
    found = np.fft.irfft(spectrum.mean(axis=1), n=size, axis=1)[:, :count]
    return np.asarray(found / (count - 1))
