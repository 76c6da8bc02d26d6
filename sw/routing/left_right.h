// SPDX-License-Identifier: Apache-2.0
//
// The rules of L-turn routing, left-up first turn (Koibuchi, Funahashi, Jouraku, Amano 2001). A
// breadth-first tree gives every switch two coordinates: the level, and how far to the right it is,
// by a preorder walk. Every link leads left or right by these; up if the level falls, or stays and
// the link leads left, else down. A packet goes left as long as it likes, up before down, and then
// right, up and down as it likes. Left links alone cannot close a cycle, nor can right ones, and
// nothing turns from right to left. Every way over the tree, left-up and then right-down, is one of
// those.
//
// That forbids more than it must: so every turn that still closes no cycle is released. Private to
// sw/routing.
#pragma once

#include "sw/routing/spanning_forest.h"
#include "sw/routing/switch_graph.h"
#include "sw/routing/turn_ways.h"

namespace lanecut {

// The turns that packets may make. `trees` are breadth-first.
TurnSet LeftRightTurns(const SwitchGraph& graph, const SpanningForest& trees);

}  // namespace lanecut
