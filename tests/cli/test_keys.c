/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What programs read stays: every key that answers had before they became records is there still,
 * with the same value where the question determines it. tests/cli/keys/ has a command line in the
 * first line of each file, and then a line for each path in its answer: the path, and its value
 * unless that is one of the run (time, memory) or has been mended since.
 */
#include "cli/print/json_path.h"
#include "tests/cli/program.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>

TestSuite(cli_keys, .init = program_begin, .fini = program_end, .timeout = 240);

static bool is_value(const cJSON *item, const char *value)
{
    if (cJSON_IsNumber(item))
        return fabs(item->valuedouble - atof(value)) <= 1e-9 * fabs(item->valuedouble);
    if (cJSON_IsString(item))
        return strcmp(item->valuestring, value) == 0;
    return strcmp(value, cJSON_IsNull(item) ? "null" : cJSON_IsTrue(item) ? "true" : "false") == 0;
}

static void expect_keys(const char *path)
{
    char line[1000];
    FILE *file = fopen(path, "r");
    cJSON *tree = NULL;

    cr_assert(file, "%s", path);
    for (int number = 0; fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "\n")] = '\0';
        if (number == 0) {
            tree = program_json("%s", line);
            continue;
        }
        const size_t length = strcspn(line, " ");
        const char *value = line[length] ? line + length + 1 : NULL;
        line[length] = '\0';
        const cJSON *item = cli_json_at(tree, line);
        cr_expect(item, "%s: %s is gone", path, line);
        if (item && value)
            cr_expect(is_value(item, value), "%s: %s is not %s", path, line, value);
    }
    cJSON_Delete(tree);
    fclose(file);
}

Test(cli_keys, what_answers_had_they_have)
{
    const char *source = getenv("SWITCHQ_SOURCE");
    char folder[PATH_MAX], path[2 * PATH_MAX];
    int files = 0;

    cr_assert(source, "set SWITCHQ_SOURCE to the folder of the sources");
    snprintf(folder, sizeof folder, "%s/tests/cli/keys", source);
    DIR *names = opendir(folder);
    cr_assert(names, "%s", folder);
    for (const struct dirent *entry; (entry = readdir(names));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        expect_keys(path);
        files++;
    }
    closedir(names);
    cr_expect_geq(files, 10);
}
