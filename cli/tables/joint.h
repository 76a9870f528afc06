/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The joint verdict of a printed table or figure, as fields and as sentences.
 */
#ifndef SWQ_CLI_JOINT_H
#define SWQ_CLI_JOINT_H

#include "cli/record/record.h"
#include "switchq/joint.h"

/* Puts the group `joint`. */
void cli_put_joint(cli_record *root, const swq_joint *joint);

/* Prints the joint judgement as text: a line, a line for each part, and the explanations that were
 * tried. */
void cli_say_joint(cli_record *root, const swq_joint *joint);

#endif
