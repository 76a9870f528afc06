/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A group of senders as it is written: the words of its keys, and who names them in messages.
 */
#ifndef SWQ_CLI_SPEC_GROUP_H
#define SWQ_CLI_SPEC_GROUP_H

#include "cli/spec/async.h"

/* The keys of a --group; from GROUP_LOAD on, the keys are also options. */
typedef enum {
    GROUP_MASK,
    GROUP_VALUE,
    GROUP_PRIORITY,
    GROUP_SINCE,
    GROUP_UNTIL,
    GROUP_LOAD,
    GROUP_INTERVAL,
    GROUP_FROM,
    GROUP_SOURCES,
    GROUP_LENGTH,
    GROUP_BURST,
    GROUP_TRAFFIC,
    GROUP_KEYS
} cli_group_key;
extern const char *const cli_group_keys[GROUP_KEYS + 1];

/* A group as it was written. */
typedef struct {
    swq_context *ctx;
    cli_async *n;
    const char *text[GROUP_KEYS];
    bool own[GROUP_KEYS]; /* given by its --group, not by an option */
    int number;           /* number of the --group, from 1; 0: there are no groups */
    swq_spread length;    /* length of messages that give no length themselves */
    bool some_plain;      /* there are such messages */
    char label[80];       /* room for names in error messages */
} cli_group_reader;

/* What error messages call a key, after "--": the key of a group, such as "group 2: load", or the
 * option. */
const char *cli_group_called(cli_group_reader *r, cli_group_key k);

/* Reads a whole number of at most 32 bits, decimal or (0x...) hexadecimal. Errors: SWQ_EINVAL. */
swq_status cli_group_bits(cli_group_reader *r, const char *name, const char *text, uint32_t *value);

/* The length of a message, in flits. A random length has a mean, and is a whole number of flits. */
swq_status cli_group_length(cli_group_reader *r, const char *option, const char *text,
                            swq_spread *length);

/* Reads the group's `traffic`: DEST, or P*DEST+P*DEST. */
swq_status cli_group_traffic(cli_group_reader *r, swq_sender_group *g, swq_spread length);

/* Adds --hot-spots to a group, which it must be compatible with. */
swq_status cli_group_hot_spots(cli_group_reader *r, swq_sender_group *g);

/* Does the text begin with file: or noxim:, so that what follows is a path? */
bool cli_is_file(const char *text);

#endif
