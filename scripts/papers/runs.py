"""What one run left in its results folder, in the papers' terms. Times are cycles."""

import json
import re
import sqlite3

# What a scheme's change ends with, if not with the new function in force everywhere.
LAST_MILESTONE = {"static": "resumed"}
AT_THE_FAULT = ("port_inactive", "bad", "unreachable")  # reasons of drops


class Run:
    def __init__(self, folder, scheme, last=None):
        """`last`: the milestone that ends the change, if not that of the scheme."""
        with open(folder / "summary.json") as file:
            self.summary = json.load(file)
        self.database = sqlite3.connect(f"file:{folder / 'results.sqlite'}?mode=ro", uri=True)
        self.scheme = scheme
        self.fault = self.milestone("fault")
        # The papers' detection: the manager knows the topology. Computing the tables takes no time.
        self.begin = self.milestone("computed")
        self.end = self.milestone(last or LAST_MILESTONE.get(scheme, "in-force"))

    def milestone(self, kind):
        """First one since the fault."""
        cycles = [e["cycle"] for e in self.summary["timeline"] if e["kind"] == kind]
        since = [c for c in cycles if kind == "fault" or c >= self.fault]
        if not since:
            raise ValueError(f"{self.summary['name']}, scheme {self.scheme}: no milestone {kind}")
        return since[0]

    def ns(self, cycles):
        return cycles * self.summary["network"]["ns_per_cycle"]

    def microseconds(self):
        """Reconfiguration time."""
        return self.ns(self.end - self.begin) / 1000

    def changed_entries(self):
        """Part of the forwarding table entries that are not the same after the change."""
        detail = next(e["detail"] for e in self.summary["timeline"] if e["kind"] == "computed" and e["cycle"] == self.begin)
        changed, entries = map(int, re.search(r"(\d+) of (\d+) entries", detail).groups())
        return changed / entries

    def query(self, sql, *values):
        return self.database.execute(sql, values).fetchall()

    def dropped_at_fault(self):
        """Packets lost at the failed link since the manager knew of it."""
        marks = ",".join("?" * len(AT_THE_FAULT))
        sql = f"SELECT count(*) FROM packets WHERE injected IS NOT NULL AND dropped >= ? AND reason IN ({marks})"
        return self.query(sql, self.begin, *AT_THE_FAULT)[0][0]

    def dropped(self):
        """Packets lost in the network, whenever and why ever."""
        return self.query("SELECT count(*) FROM packets WHERE injected IS NOT NULL AND dropped IS NOT NULL")[0][0]

    def dropped_by(self, reason):
        return self.query("SELECT count(*) FROM packets WHERE injected IS NOT NULL AND reason = ?", reason)[0][0]

    def refused(self):
        """Packets that found their source queue full, from the fault on."""
        sql = "SELECT count(*) FROM packets WHERE injected IS NULL AND dropped >= ?"
        return self.query(sql, self.fault)[0][0]

    def reordered(self):
        return self.summary["packets"]["reordered"]

    def latency_by_generation(self, begin, end, step):
        """Rows (cycle, packets, mean queue latency, mean network latency), by the cycle of generation."""
        return self.query(
            "SELECT ? + (generated - ?) / ? * ?, count(*), avg(injected - generated), avg(delivered - injected) "
            "FROM packets WHERE delivered IS NOT NULL AND generated BETWEEN ? AND ? GROUP BY 1 ORDER BY 1",
            begin, begin, step, step, begin, end - 1)

    def max_queue_latency(self):
        """Of packets generated during the change, but for the manager's node: its link carries the tables first."""
        sql = ("SELECT max(injected - generated) FROM packets WHERE generated BETWEEN ? AND ? "
               "AND source <> (SELECT id FROM nodes WHERE kind = 'end node' AND name = 'H0_0_0')")
        return self.query(sql, self.begin, self.end)[0][0] or 0

    def mean_latency(self, begin, end):
        """Of packets generated in the interval and delivered at any time."""
        sql = "SELECT avg(delivered - generated) FROM packets WHERE delivered IS NOT NULL AND generated BETWEEN ? AND ?"
        return self.query(sql, begin, end)[0][0] or 0

    def mean_token_latency(self, begin, end):
        """Of the same packets."""
        sql = "SELECT avg(token) FROM packets WHERE delivered IS NOT NULL AND generated BETWEEN ? AND ?"
        return self.query(sql, begin, end)[0][0] or 0

    def latency_quantile(self, begin, end, part):
        """The latency that this part of the same packets does not exceed."""
        sql = ("SELECT delivered - generated FROM packets WHERE delivered IS NOT NULL AND generated BETWEEN ? AND ? "
               "ORDER BY 1 LIMIT 1 OFFSET ?")
        count = self.query("SELECT count(*) FROM packets WHERE delivered IS NOT NULL AND generated BETWEEN ? AND ?",
                           begin, end)[0][0]
        return self.query(sql, begin, end, int(part * count))[0][0] if count else 0

    def delivered(self, begin, end):
        """Packets per cycle."""
        sql = "SELECT count(*) FROM packets WHERE delivered BETWEEN ? AND ?"
        return self.query(sql, begin, end - 1)[0][0] / max(end - begin, 1)

    def bytes_by_vl(self, column, begin, end):
        """Rows (cycle, VL, bytes) of the intervals in between; `column` is injected or delivered."""
        return self.query(f"SELECT s.cycle, v.vl, coalesce(x.{column}_bytes, 0) FROM series s "
                          "CROSS JOIN (SELECT DISTINCT vl FROM vl_series) v "
                          "LEFT JOIN vl_series x ON x.cycle = s.cycle AND x.vl = v.vl "
                          "WHERE s.cycle BETWEEN ? AND ? ORDER BY 1, 2", begin, end - 1)
