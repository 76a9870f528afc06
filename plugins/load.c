/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening a plug-in, and adding its rows to the tables of a context.
 */
#include "base/context.h"
#include "plugins/inside.h"
#include "plugins/plugins.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- dice, as a plug-in throws them ---- */

/* A throw that dice do not have makes the outcome's probability a NaN, which nothing takes for an
 * answer. */
static bool can_throw(swq_dice *dice, int faces)
{
    const bool can = faces >= 1 && (dice->rng || dice->throws < SWQ_DICE_DEPTH);

    if (!can)
        dice->probability = (long double)NAN;
    return can;
}

static int fair(swq_dice *dice, int faces)
{
    return can_throw(dice, faces) ? swq_dice_fair(dice, faces) : 0;
}

static int loaded(swq_dice *dice, const double *weight, int faces)
{
    return can_throw(dice, faces) ? swq_dice_loaded(dice, weight, faces) : 0;
}

static const swq_plugin_services services = {fair, loaded};

/* ---- the file ---- */

/* One byte more in the CRC of POSIX cksum. */
static uint32_t crc_byte(uint32_t crc, unsigned byte)
{
    crc ^= (uint32_t)byte << 24;
    for (int bit = 0; bit < 8; bit++)
        crc = crc << 1 ^ (crc >> 31 ? UINT32_C(0x04C11DB7) : 0);
    return crc;
}

/* The bytes, and behind them their number, the lowest byte first. */
static swq_status read_checksum(swq_context *ctx, swq_plugin_file *f)
{
    struct stat about;
    FILE *from = NULL;
    uint32_t crc = 0;
    int why = 0;

    errno = 0;
    if (stat(f->path, &about) == 0 && !S_ISREG(about.st_mode))
        return swq_fail(ctx, SWQ_EIO, "cannot read '%.200s': it is no file", f->path);
    from = fopen(f->path, "rb");
    for (int c; from && (c = getc(from)) != EOF; f->bytes++)
        crc = crc_byte(crc, (unsigned)c);
    if (!from || ferror(from))
        why = errno ? errno : EIO;
    if (from)
        fclose(from);
    if (why)
        return swq_fail(ctx, SWQ_EIO, "cannot read '%.200s': %s", f->path, strerror(why));
    for (uint64_t left = f->bytes; left; left >>= 8)
        crc = crc_byte(crc, left & 0xff);
    f->checksum = ~crc;
    return SWQ_OK;
}

/* Are all segments of an ELF file within its bytes? Of a file that was cut off, dlopen would map
 * pages that are not there, and the process would die of the first look at them. Whatever else is
 * wrong with a file, dlopen says. */
static bool is_whole(const swq_plugin_file *f)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) segment;
    FILE *from = fopen(f->path, "rb");
    bool whole = true;

    if (from && fread(&head, sizeof head, 1, from) == 1 &&
        memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_phentsize == sizeof segment &&
        head.e_phoff < f->bytes && fseek(from, (long)head.e_phoff, SEEK_SET) == 0) {
        for (int k = 0; k < head.e_phnum && whole; k++)
            whole = fread(&segment, sizeof segment, 1, from) == 1 && segment.p_filesz <= f->bytes &&
                    segment.p_offset <= f->bytes - segment.p_filesz;
    }
    if (from)
        fclose(from);
    return whole;
}

/* dlopen looks in folders of its own for a name without a slash. It would also return a library
 * that is loaded already for a file with the same path, whatever is in it now, unless the library
 * was closed. */
static swq_status open_file(swq_context *ctx, swq_plugin_loaded *l)
{
    const size_t room = strlen(l->file.path) + sizeof "./";
    char *full = swq_calloc(ctx, room, 1);

    if (!full)
        return swq_memory_status(ctx);
    if (!is_whole(&l->file)) {
        swq_free(ctx, full);
        return swq_fail(ctx, SWQ_EINVAL,
                        "'%.200s' is not a shared object that can be loaded: it is cut off",
                        l->file.path);
    }
    snprintf(full, room, "%s%s", strchr(l->file.path, '/') ? "" : "./", l->file.path);
    l->handle = dlopen(full, RTLD_NOW | RTLD_LOCAL);
    swq_free(ctx, full);
    return l->handle ? SWQ_OK
                     : swq_fail(ctx, SWQ_EINVAL,
                                "'%.200s' is not a shared object that can be loaded: %.300s",
                                l->file.path, dlerror());
}

/* The symbol of a plug-in, if it was compiled for this version of the interface. */
static swq_status find_symbol(swq_context *ctx, const swq_plugin_loaded *l,
                              const swq_plugin **found)
{
    static const uint32_t size[SWQ_PLUGIN_SIZES] = SWQ_PLUGIN_SIZES_HERE;
    const swq_plugin *p = dlsym(l->handle, "switchq_plugin");

    if (!p)
        return swq_fail(ctx, SWQ_EINVAL,
                        "'%.200s' is a shared object, but not a plug-in: it has no symbol "
                        "switchq_plugin, which SWQ_PLUGIN of <switchq/plugin.h> defines",
                        l->file.path);
    if (p->abi != SWQ_PLUGIN_ABI)
        return swq_fail(
            ctx, SWQ_EINVAL,
            "'%.200s' is a plug-in for version %u of the interface, and this is version "
            "%d: compile it again",
            l->file.path, p->abi, SWQ_PLUGIN_ABI);
    if (memcmp(p->size, size, sizeof size) != 0 || !p->services)
        return swq_fail(ctx, SWQ_EINVAL,
                        "'%.200s' was compiled with other headers than this program: compile it "
                        "again",
                        l->file.path);
    *found = p;
    return SWQ_OK;
}

static void close_file(swq_context *ctx, swq_plugin_loaded *l)
{
    if (l->handle)
        dlclose(l->handle);
    swq_free(ctx, l->file.path);
    swq_free(ctx, l->rows);
}

/* ---- the tables ---- */

static size_t length_of(const void *const *rows)
{
    size_t length = 0;

    while (rows && rows[length])
        length++;
    return length;
}

/* A list of all rows of the plug-in, to find out later where a row comes from. */
static swq_status list_rows(swq_context *ctx, const swq_plugin *plugin, swq_plugin_loaded *l)
{
    const void **rows;
    size_t count = 0;

    for (int t = 0; t < SWQ_PLUGIN_TABLES; t++)
        count += length_of(swq_plugin_tables[t].added(plugin));
    rows = swq_calloc(ctx, count, sizeof *rows);
    if (!rows)
        return swq_memory_status(ctx);
    for (int t = 0; t < SWQ_PLUGIN_TABLES; t++) {
        const void *const *added = swq_plugin_tables[t].added(plugin);
        for (size_t k = 0; added && added[k]; k++)
            rows[l->count++] = added[k];
    }
    l->rows = rows;
    return SWQ_OK;
}

/* Makes all tables anew, longer by the rows of the plug-in. */
static swq_status lengthen(swq_context *ctx, const swq_plugin *plugin, swq_plugins *to)
{
    const void **longer[SWQ_PLUGIN_TABLES] = {NULL};
    swq_status status = SWQ_OK;

    for (int t = 0; t < SWQ_PLUGIN_TABLES && !status; t++) {
        const void *const *there = swq_rows(ctx, swq_plugin_tables[t].own);
        const void *const *added = swq_plugin_tables[t].added(plugin);
        const size_t first = length_of(there), more = length_of(added);
        longer[t] = swq_calloc(ctx, first + more + 1, sizeof *longer[t]);
        if (!longer[t])
            status = swq_memory_status(ctx);
        for (size_t k = 0; k < first + more && !status; k++)
            longer[t][k] = k < first ? there[k] : added[k - first];
    }
    for (int t = 0; t < SWQ_PLUGIN_TABLES; t++) {
        if (status) {
            swq_free(ctx, (void *)longer[t]);
            continue;
        }
        swq_free(ctx, (void *)to->table[t].rows);
        to->table[t].own = swq_plugin_tables[t].own;
        to->table[t].rows = longer[t];
        to->tables = SWQ_PLUGIN_TABLES;
    }
    return status;
}

static void release_set(swq_context *ctx, swq_plugins *p)
{
    while (p->files > 0)
        close_file(ctx, &p->file[--p->files]);
    for (int t = 0; t < p->tables; t++)
        swq_free(ctx, (void *)p->table[t].rows);
    swq_free(ctx, p->file);
    swq_free(ctx, p);
}

static void release_all(swq_context *ctx, swq_plugins *p)
{
    for (swq_plugins *older; p; p = older) {
        older = p->older;
        release_set(ctx, p);
    }
}

/* Puts an empty set into use. */
static swq_plugins *new_set(swq_context *ctx)
{
    swq_plugins *p = swq_calloc(ctx, 1, sizeof *p);

    if (p) {
        p->release = release_all;
        p->older = swq_context_plugins(ctx);
        swq_context_set_plugins(ctx, p);
    }
    return p;
}

static swq_status load(swq_context *ctx, const char *path, swq_plugins *to, swq_plugin_loaded *l)
{
    const swq_plugin *plugin = NULL;

    l->file.path = swq_calloc(ctx, strlen(path) + 1, 1);
    if (!l->file.path)
        return swq_memory_status(ctx);
    memcpy(l->file.path, path, strlen(path));
    swq_status status = read_checksum(ctx, &l->file);
    if (!status)
        status = open_file(ctx, l);
    for (int f = 0; f < to->files && !status; f++) {
        if (to->file[f].handle == l->handle)
            status = swq_fail(ctx, SWQ_EINVAL, "'%.200s' is given twice", path);
    }
    if (!status)
        status = find_symbol(ctx, l, &plugin);
    if (status)
        return status;
    *plugin->services = &services;
    status = swq_plugin_check(ctx, plugin);
    if (status) {
        char why[400];
        snprintf(why, sizeof why, "%s", swq_context_message(ctx));
        return swq_fail(ctx, status, "'%.200s': %s", path, why);
    }
    status = list_rows(ctx, plugin, l);
    if (!status &&
        !swq_resize_array(ctx, &to->file, to->files + 1, sizeof *to->file)) /* before the tables */
        status = swq_memory_status(ctx);
    return status ? status : lengthen(ctx, plugin, to);
}

swq_status swq_plugin_load(swq_context *ctx, const char *path)
{
    swq_plugin_loaded l = {.handle = NULL};
    swq_plugins *to = swq_context_plugins(ctx);

    if (!to)
        to = new_set(ctx);
    if (!to)
        return swq_memory_status(ctx);
    swq_status status = load(ctx, path, to, &l);
    if (status)
        close_file(ctx, &l);
    else
        to->file[to->files++] = l;
    return status;
}

static bool has_files(const swq_plugins *p, char *const *path, int count)
{
    bool same = p->files == count;

    for (int k = 0; k < count && same; k++)
        same = strcmp(p->file[k].file.path, path[k]) == 0;
    return same;
}

/* Puts the set that has these files into use, if there is one. */
static bool reuse(swq_context *ctx, char *const *path, int count)
{
    swq_plugins *first = swq_context_plugins(ctx), *before = NULL, *p = first;

    for (; p && !has_files(p, path, count); p = p->older)
        before = p;
    if (p && before) {
        before->older = p->older;
        p->older = first;
        swq_context_set_plugins(ctx, p);
    }
    return p != NULL;
}

swq_status swq_plugins_use(swq_context *ctx, char *const *path, int count)
{
    swq_plugins *before = swq_context_plugins(ctx), *made;
    swq_status status = SWQ_OK;

    if ((!before && count == 0) || reuse(ctx, path, count))
        return SWQ_OK;
    made = new_set(ctx);
    if (!made)
        return swq_memory_status(ctx);
    for (int k = 0; k < count && !status; k++)
        status = swq_plugin_load(ctx, path[k]);
    if (status) {
        swq_context_set_plugins(ctx, before);
        release_set(ctx, made);
    }
    return status;
}

void swq_plugins_unload(swq_context *ctx)
{
    swq_plugins *p = swq_context_plugins(ctx);

    if (p) {
        swq_context_set_plugins(ctx, NULL);
        p->release(ctx, p);
    }
}
