/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multisets of groups of heads: how many groups there are of each class, where a class is the
 * number of heads of a group and the room ahead of them (class = heads * levels + level).
 */
#ifndef SWQ_APPROX_GROUPS_H
#define SWQ_APPROX_GROUPS_H

/* List all ways to distribute `groups` groups over `classes` classes with at most `heads` heads, in
 * `all` [ways * classes] if not NULL, in ascending order of the largest groups. Returns their
 * number, or a number above `most` as soon as there are more. */
int groups_list(int classes, int levels, int heads, int groups, int most, int *all);

/* The place of `count` [classes] in a list from groups_list with `ways` ways, which must contain
 * it. */
int groups_find(const int *all, int ways, int classes, const int *count);

#endif
