#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One large network, run several times over: each task of a job array has a node for itself and a seed of
# its own. A single run stays on one machine.
#
#   sbatch --array=1-8 runs.sh --engine async --topology torus --dims 1000x1000 --load 0.001 ...
#
# On one machine without Slurm:
#   SLURM_ARRAY_TASK_ID=1 ./runs.sh --topology omega --stages 6 --buffer damq --slots 4 --load 0.5
#SBATCH --job-name=switchq-run
#SBATCH --cpus-per-task=4
#SBATCH --mem=0
#SBATCH --time=24:00:00
#SBATCH --output=switchq-%A_%a.log
set -eu

: "${SLURM_ARRAY_TASK_ID:?a number for each run}"
NAME=${NAME:-run}-$SLURM_ARRAY_TASK_ID
"${SWITCHQ:-switchq}" sim "$@" --seed "$SLURM_ARRAY_TASK_ID" --json > "$NAME.part"
mv "$NAME.part" "$NAME.json"
echo "$NAME.json"
