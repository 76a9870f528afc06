#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A study over the nodes of one Slurm job, with a switchq built by make MPI=1 (or PETSC=1 MPI=1): rank 0
# keeps the database, all others work. Submitted again, it goes on where it was.
#
#   STUDY=study.yaml sbatch --nodes=4 sweep.sh
#
# On one machine without Slurm:
#   STUDY=study.yaml LAUNCH="mpirun -n 3 --oversubscribe" ./sweep.sh
#
# examples/studies/slurm-array.sh does the same without MPI, by a job array.
#SBATCH --job-name=switchq-sweep
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --output=switchq-%j.log
set -eu

: "${STUDY:?set STUDY to the study file}"
# shellcheck disable=SC2086 # LAUNCH is several words
${LAUNCH:-srun --mpi=pmix} "${SWITCHQ:-switchq}" sweep "$STUDY" --threads "${SLURM_CPUS_PER_TASK:-1}"
