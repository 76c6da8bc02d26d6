// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/table_pieces.h"

#include <algorithm>

#include "sw/mad/attributes.h"
#include "sw/wire/compact.h"

namespace lanecut {

namespace {

constexpr int kAlign = ib::kUpdateAlign;

struct Piece {
  int first = 0;  // words of four entries
  int words = 0;
};

std::uint8_t EntryOf(std::span<const std::uint8_t> table, int lid) {
  return lid == 0 || lid >= static_cast<int>(table.size()) ? ib::kLftUnreachable
                                                           : table[static_cast<std::size_t>(lid)];
}

// A word that need not be sent costs as much as the head of another piece.
std::vector<Piece> FindPieces(int first, int last, const std::function<bool(int)>& wanted_there) {
  std::vector<Piece> pieces;
  for (int word = first / kAlign; word <= last / kAlign; ++word) {
    bool is_wanted = false;
    for (int lid = word * kAlign; lid < (word + 1) * kAlign; ++lid) {
      is_wanted = is_wanted || (lid >= first && lid <= last && wanted_there(lid));
    }
    if (!is_wanted) continue;
    if (!pieces.empty() && word - (pieces.back().first + pieces.back().words) <= 1) {
      pieces.back().words = word + 1 - pieces.back().first;
    } else {
      pieces.push_back({word, 1});
    }
  }
  return pieces;
}

void Append(std::span<const std::uint8_t> table, const Piece& piece, TableUpdate* update) {
  update->words.push_back(static_cast<std::uint32_t>(piece.first * kAlign) << 16 |
                          static_cast<std::uint32_t>(piece.words * kAlign));
  for (int lid = piece.first * kAlign; lid < (piece.first + piece.words) * kAlign; ++lid) {
    if (lid % kAlign == 0) update->words.push_back(0);
    update->words.back() = update->words.back() << 8 | EntryOf(table, lid);
    update->lids.push_back(lid);
  }
}

}  // namespace

std::vector<TableUpdate> MakeTableUpdates(std::span<const std::uint8_t> table, int first, int last,
                                          const std::function<bool(int lid)>& wanted_there) {
  std::vector<TableUpdate> updates(1);
  for (Piece piece : FindPieces(first, last, wanted_there)) {
    while (piece.words > 0) {
      const int room = kCompactDataWords - static_cast<int>(updates.back().words.size()) - 1;
      if (room < 1) {
        updates.emplace_back();
        continue;
      }
      const Piece part{piece.first, std::min(piece.words, room)};
      Append(table, part, &updates.back());
      piece = {piece.first + part.words, piece.words - part.words};
    }
  }
  if (updates.back().words.empty()) updates.back().words.push_back(0);
  return updates;
}

}  // namespace lanecut
