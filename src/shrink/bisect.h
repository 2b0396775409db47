// Searching along a trunk, for whoever can start a run in the middle: keep the first i things and, of the rest,
// only the *base*. That does it for i = all; while it does not for i = 0 there is an i where the answer changes:
// thing i is needed with what stands before it. It joins the base, and the search goes on below i. All these
// candidates begin like the trunk: with snapshots along it a run costs its short end only.
//
// Cuts that leave the app in the state in which the next kept thing was received are tried first: only there can
// a run go on as recorded. Of these the one that tells most for its seconds, if needed things are spread evenly,
// as densely as those found so far.
#pragma once

#include "shrink/shrink.h"

namespace norn {

/// What is left of `trunk`, which does it, when all that it takes has joined `base`; stopped, the shortest list
/// that was confirmed by then. REQUIRES: both ascending, and of the problem's things; the trunk is not empty.
Indices bisect(const Problem& problem, Indices trunk, const Indices& base, Question& question);

}  // namespace norn
