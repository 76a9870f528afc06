/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A study: a file that names many points, and the points that it comes to. A point is a command
 * line, "solve --buffer damq --load 0.5 --slots 4"; how it is answered is the caller's to say.
 * Room: study.
 */
#ifndef SWQ_STUDY_STUDY_H
#define SWQ_STUDY_STUDY_H

#include "switchq/context.h"

#endif
