# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON Schemas of answers, made from answers and from the rows of `switchq list quantities`.

A schema has the keys that its answers have been seen to have, with their types, meanings and units. A number may be null in
any answer, as a number that is not known is null.
"""
import json

TYPES = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number", type(None): "null"}


class Seen:
    """What has been seen at one place of the answers of a schema."""

    def __init__(self):
        self.types, self.keys, self.items = set(), {}, None

    def add(self, value):
        self.types.add(TYPES[type(value)])
        if isinstance(value, dict):
            for key, below in value.items():
                self.keys.setdefault(key, Seen()).add(below)
        elif isinstance(value, list):
            self.items = self.items or Seen()
            for below in value:
                self.items.add(below)

    def schema(self, rows, key=None):
        """The schema of this place; rows: the quantities, by key."""
        types = sorted(self.types | ({"null"} if "number" in self.types else set()))
        tree = {"type": types[0] if len(types) == 1 else types} if types else {}
        if key in rows:
            tree["description"] = rows[key]["summary"]
            if rows[key].get("more"):
                tree["x-unit"] = rows[key]["more"]
        if self.keys:
            tree["properties"] = {name: below.schema(rows, name) for name, below in sorted(self.keys.items())}
        if self.items:
            tree["items"] = self.items.schema(rows)
        return tree


def schema_of(name, answers, quantities):
    """The schema `name`, such as switchq/sim/1, from answers and the tree of `switchq list quantities --json`."""
    seen = Seen()
    for answer in answers:
        seen.add(answer)
    tree = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name,
            "description": "Made by 'make stable'. Answers may have more keys than these. A number that is not known is null.",
            **seen.schema({row["name"]: row for row in quantities})}
    tree["properties"]["schema"] = {"const": name, "description": "the kind of answer, and the number of its schema"}
    tree["required"] = ["schema"]
    return tree


def paths(schema, path=""):
    """The paths of all keys of a schema, such as result.stages[].sent."""
    for key, below in schema.get("properties", {}).items():
        yield f"{path}.{key}" if path else key
        yield from paths(below, f"{path}.{key}" if path else key)
    if "items" in schema:
        yield from paths(schema["items"], path + "[]")


def shown(value, path=""):
    """The places of an answer with their types: ("result.stages[].sent", "number")."""
    yield path, TYPES[type(value)]
    if isinstance(value, dict):
        for key, below in value.items():
            yield from shown(below, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for below in value:
            yield from shown(below, path + "[]")


def known(schema, path=""):
    """The same of a schema."""
    types = schema.get("type", ["string"])
    for kind in [types] if isinstance(types, str) else types:
        yield path, kind
    for key, below in schema.get("properties", {}).items():
        yield from known(below, f"{path}.{key}" if path else key)
    if "items" in schema:
        yield from known(schema["items"], path + "[]")


def closed(schema):
    """The schema for answers without any other keys."""
    tree = dict(schema)
    if "properties" in tree:
        tree["properties"] = {key: closed(below) for key, below in tree["properties"].items()}
        tree["additionalProperties"] = False
    if "items" in tree:
        tree["items"] = closed(tree["items"])
    return tree


def faults(validator, answer, most=3):
    """In words, what does not fit."""
    return [f"{'.'.join(map(str, error.absolute_path)) or 'the answer'}: {error.message[:200]}"
            for error, _ in zip(validator.iter_errors(answer), range(most))]


def text_of(schema):
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
