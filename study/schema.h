/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of a study's database. docs/sweep.md explains them; a change here needs a new
 * SWQ_STORE_SCHEMA.
 * Room: study.
 */
#ifndef SWQ_STUDY_SCHEMA_H
#define SWQ_STUDY_SCHEMA_H

static const char swq_store_schema[] =
    "CREATE TABLE owners (" /* processes that claim points */
    " id INTEGER PRIMARY KEY,"
    " host TEXT NOT NULL,"
    " machine TEXT NOT NULL," /* boot and pid namespace: where pid means this process */
    " pid INTEGER NOT NULL,"
    " started INTEGER NOT NULL,"       /* clock ticks since boot, field 22 of /proc/PID/stat */
    " beat INTEGER NOT NULL DEFAULT 0" /* counts up while it lives */
    ");"
    "CREATE TABLE points ("
    " id INTEGER PRIMARY KEY,"
    " point TEXT NOT NULL UNIQUE," /* canonical command line */
    " command TEXT NOT NULL,"
    " options TEXT NOT NULL," /* JSON object */
    " repeat INTEGER NOT NULL DEFAULT 0,"
    " seed INTEGER,"
    " state TEXT NOT NULL DEFAULT 'open'"
    "  CHECK (state IN ('open', 'running', 'done', 'failed')),"
    " owner INTEGER REFERENCES owners (id)," /* while it is running */
    " status INTEGER,"                       /* exit status; NULL: none */
    " message TEXT,"                         /* why it failed */
    " version TEXT,"                         /* of the program that answered */
    " cpu_seconds REAL,"
    " wall_seconds REAL,"
    " host TEXT,"
    " finished TEXT," /* UTC, 2026-01-31T23:59:59Z */
    " answer TEXT"    /* JSON, what the command prints with --json */
    ");";

#endif
