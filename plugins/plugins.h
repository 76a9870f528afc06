/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of plug-ins, for a context in which questions with different plug-ins take turns.
 */
#ifndef SWQ_PLUGINS_PLUGINS_H
#define SWQ_PLUGINS_PLUGINS_H

#include "switchq/plugins.h"

/* From now on, names are looked up in the tables with the rows of exactly these files, path[0 ..
 * count - 1]. Files are loaded once for each set. Rows of other sets stay valid, but are not found
 * by name. Errors: those of swq_plugin_load; the set in use is then unchanged. */
swq_status swq_plugins_use(swq_context *ctx, char *const *path, int count);

#endif
