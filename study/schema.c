/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of a study's database, and how they are asked. docs/sweep.md explains the tables; a
 * change to them needs a new SWQ_STORE_SCHEMA. Answers have a table of their own so that looking
 * for open points does not read them.
 */
#include "study/store_inside.h"

// clang-format off
const char swq_schema[] =
    "CREATE TABLE owners ("                     /* processes that claim points */
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " host TEXT NOT NULL,"
    " machine TEXT NOT NULL,"                   /* boot id and pid namespace that pid is in */
    " pid INTEGER NOT NULL,"
    " started INTEGER NOT NULL,"                /* in clock ticks since boot: /proc/PID/stat */
    " beat INTEGER NOT NULL"                    /* seconds since 1970 of its last sign of life */
    ");"
    "CREATE TABLE points ("
    " id INTEGER PRIMARY KEY,"
    " point TEXT NOT NULL UNIQUE,"              /* canonical command line */
    " command TEXT NOT NULL,"
    " options TEXT NOT NULL,"                   /* JSON object */
    " repeat INTEGER NOT NULL,"
    " seed INTEGER,"
    " state TEXT NOT NULL DEFAULT 'open'"
    "  CHECK (state IN ('open', 'running', 'done', 'failed')),"
    " owner INTEGER,"                           /* owners.id while the point is running */
    " status INTEGER,"                          /* exit status; NULL: ended by a signal */
    " message TEXT,"                            /* why it failed */
    " version TEXT,"                            /* of the program that gave the answer */
    " cpu_seconds REAL,"
    " wall_seconds REAL,"
    " host TEXT,"
    " finished TEXT"                            /* UTC, 2026-01-31T23:59:59Z */
    ");"
    "CREATE INDEX running ON points (owner) WHERE state = 'running';"
    "CREATE TABLE answers ("
    " point INTEGER PRIMARY KEY REFERENCES points (id),"
    " answer TEXT NOT NULL"                     /* the output of the command with --json */
    ");"
    "CREATE VIEW results AS"                    /* for people: a row for each point */
    " SELECT points.*, answers.answer FROM points LEFT JOIN answers ON answers.point = points.id;";
// clang-format on

/* The points that this process wants: a table that vanishes with the connection of the process. */
const char swq_schema_wanted[] =
    "CREATE TEMP TABLE wanted (place INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE)";

const char *const swq_statements[SWQ_SQL_STATEMENTS] = {
    [SWQ_SQL_FIND_POINT] = "SELECT id FROM points WHERE point = ?1",
    [SWQ_SQL_ADD_POINT] = "INSERT INTO points (point, command, options, repeat, seed)"
                          " VALUES (?1, ?2, ?3, ?4, ?5)",
    [SWQ_SQL_ADD_WANTED] = "INSERT OR IGNORE INTO wanted (id) VALUES (?1)",
    [SWQ_SQL_WANT_ALL] = "INSERT OR IGNORE INTO wanted (id) SELECT id FROM points ORDER BY id",
    /* ?1: failed points; ?2: points of other versions than ?3 */
    [SWQ_SQL_REOPEN_ANSWERS] = "DELETE FROM answers WHERE point IN (SELECT id FROM points WHERE"
                               " (?1 AND state = 'failed' OR"
                               " ?2 AND state IN ('done', 'failed') AND version IS NOT ?3)"
                               " AND id IN (SELECT id FROM wanted))",
    [SWQ_SQL_REOPEN] =
        "UPDATE points SET state = 'open', status = NULL, message = NULL, version = NULL,"
        " cpu_seconds = NULL, wall_seconds = NULL, host = NULL, finished = NULL WHERE"
        " (?1 AND state = 'failed' OR"
        " ?2 AND state IN ('done', 'failed') AND version IS NOT ?3)"
        " AND id IN (SELECT id FROM wanted)",
    [SWQ_SQL_COUNT] = "SELECT state, count(*),"
                      " sum(state IN ('done', 'failed') AND version IS NOT ?1)"
                      " FROM wanted CROSS JOIN points USING (id) GROUP BY state",
    [SWQ_SQL_FIND_OPEN] = "SELECT wanted.place, points.id, points.point"
                          " FROM wanted CROSS JOIN points USING (id)"
                          " WHERE wanted.place > ?1 AND points.state = 'open'"
                          " ORDER BY wanted.place LIMIT ?2",
    [SWQ_SQL_CLAIM] = "UPDATE points SET state = 'running', owner = ?2 WHERE id = ?1",
    [SWQ_SQL_RELEASE] = "UPDATE points SET state = 'open', owner = NULL"
                        " WHERE id = ?1 AND state = 'running' AND owner = ?2",
    [SWQ_SQL_RELEASE_OWNER] = "UPDATE points SET state = 'open', owner = NULL"
                              " WHERE state = 'running' AND owner = ?1",
    [SWQ_SQL_ADD_OWNER] = "INSERT INTO owners (host, machine, pid, started, beat)"
                          " VALUES (?1, ?2, ?3, ?4, ?5)",
    [SWQ_SQL_BEAT] = "UPDATE owners SET beat = ?2 WHERE id = ?1",
    [SWQ_SQL_DROP_OWNER] = "DELETE FROM owners WHERE id = ?1",
    [SWQ_SQL_RUNNING_OWNERS] =
        "SELECT running.owner, machine, pid, started, beat FROM"
        " (SELECT DISTINCT owner FROM points WHERE state = 'running') AS running"
        " LEFT JOIN owners ON owners.id = running.owner",
    [SWQ_SQL_RECORD] =
        "UPDATE points SET state = ?3, owner = NULL, status = ?4, message = ?5,"
        " version = ?6, cpu_seconds = ?7, wall_seconds = ?8, host = ?9, finished = ?10"
        " WHERE id = ?1 AND (state = 'running' AND owner = ?2 OR state = 'open')",
    [SWQ_SQL_RECORD_ANSWER] = "INSERT OR REPLACE INTO answers (point, answer) VALUES (?1, ?2)",
    [SWQ_SQL_ROWS] =
        "SELECT points.id, points.point, command, options, repeat, seed, state, status,"
        " message, answers.answer, version, host, finished, cpu_seconds, wall_seconds"
        " FROM wanted CROSS JOIN points USING (id)"
        " LEFT JOIN answers ON answers.point = points.id"
        " WHERE ?1 IS NULL OR state = ?1 ORDER BY wanted.place",
};
