#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One chain over the nodes of a Slurm job, with a switchq built by make PETSC=1. Arguments are those of
# 'switchq solve'; the iterate is kept in a checkpoint, so that the same line goes on where a job ended.
#
#   sbatch --nodes=8 --ntasks-per-node=16 solve.sh --buffer damq --ports 4 --slots 8 --load 0.9
#
# On one machine without Slurm:
#   LAUNCH="mpirun -n 4 --oversubscribe" ./solve.sh --buffer damq --ports 4 --slots 4 --load 0.9
#SBATCH --job-name=switchq
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=16
#SBATCH --cpus-per-task=1
#SBATCH --mem=0
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --output=switchq-%j.log
set -eu

SWITCHQ=${SWITCHQ:-switchq}
# a name that the question alone gives: the same question finds its file again
NAME=${NAME:-switchq-$(printf '%s' "$*" | cksum | cut -d' ' -f1)}
# a rank may take its share of a node
if [ -n "${SLURM_MEM_PER_NODE:-}" ]; then
    set -- "$@" --mem "$((SLURM_MEM_PER_NODE / ${SLURM_NTASKS_PER_NODE:-1}))M"
fi

# shellcheck disable=SC2086 # LAUNCH is several words
${LAUNCH:-srun --mpi=pmix} "$SWITCHQ" solve --mpi "$@" --checkpoint "$NAME.checkpoint" --json > "$NAME.part"
mv "$NAME.part" "$NAME.json"
rm -f "$NAME.checkpoint"
echo "$NAME.json"
