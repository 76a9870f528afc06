/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multisets of groups of heads: how many groups there are of each class, a class being the heads of
 * a group and, in its last `levels`, what they find ahead (class = heads * levels + level).
 * Room: approx.
 */
#ifndef SWQ_APPROX_GROUPS_H
#define SWQ_APPROX_GROUPS_H

/* All ways to share out `groups` groups over `classes` classes with at most `heads` heads, into
 * `all` [ways * classes] if not NULL, in rising order of the largest groups. Returns how many, or
 * more than `most` as soon as there are more. */
int groups_list(int classes, int levels, int heads, int groups, int most, int *all);

/* The place of `count` [classes] in such a list of so many ways, in which it is. */
int groups_find(const int *all, int ways, int classes, const int *count);

#endif
