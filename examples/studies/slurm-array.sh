#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A study as a Slurm job array: each task takes its share of the points and writes a database of its
# own; a last job, which waits for all of them, merges. Nothing is shared but the folder.
#
#   STUDY=study.yaml sbatch --array=1-16 slurm-array.sh
#
# Submitted again, it goes on where the tasks were: what is in their databases is not done twice.
#SBATCH --job-name=switchq
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --output=switchq-%A_%a.log
set -eu

: "${STUDY:?set STUDY to the study file}"
NAME=$(basename "$STUDY" .yaml)

if [ "${1:-}" = merge ]; then
    exec switchq sweep "$STUDY" --merge "$NAME"-part-*.db
fi

if [ "$SLURM_ARRAY_TASK_ID" = "$SLURM_ARRAY_TASK_MIN" ]; then
    # when all tasks have ended, whether well or not: what they have is worth merging
    sbatch --dependency="afterany:$SLURM_ARRAY_JOB_ID" --cpus-per-task=1 \
        --output="switchq-merge-%j.log" "$0" merge
fi

switchq sweep "$STUDY" --share slurm --threads "${SLURM_CPUS_PER_TASK:-1}" \
    --database "$NAME-part-$SLURM_ARRAY_TASK_ID.db"
