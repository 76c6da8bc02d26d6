"""Arguments of scripts/paper: which tables and figures to run again."""

import argparse
import sys

import ebr
import faults
import osr
import own
import routes
from experiments import Lab

IDS = osr.IDS | ebr.IDS | routes.IDS | faults.IDS | own.IDS


def main():
    parser = argparse.ArgumentParser(prog="scripts/paper", description="Runs published tables and figures again.")
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument("--list", action="store_true", help="all IDs, and what each shows")
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="runs per point (default 3)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[4], metavar="N",
                        help="NxN tori of what is simulated under faults (default 4)")
    parser.add_argument("--reuse", action="store_true", help="take runs that an earlier call has left in out/papers")
    arguments = parser.parse_args()
    if arguments.list:
        for name, (_, title) in IDS.items():
            print(f"{name:14} {title}")
        return
    unknown = [name for name in arguments.ids if name not in IDS]
    if unknown or not arguments.ids:
        wrong = f"unknown ID {unknown[0]}" if unknown else "ID is missing"
        sys.exit(f"scripts/paper: {wrong}; expected one or more of {', '.join(IDS)}")
    if arguments.seeds < 1:
        sys.exit("scripts/paper: --seeds must be at least 1")
    lab = Lab(arguments.seeds, arguments.reuse, arguments.sizes)
    for name in arguments.ids:
        IDS[name][0](lab)


if __name__ == "__main__":
    main()
