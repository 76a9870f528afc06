# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples in the docstrings are true."""

import doctest
import unittest

import switchq


class Docstrings(unittest.TestCase):
    def test_examples(self):
        result = doctest.testmod(switchq)
        self.assertGreaterEqual(result.attempted, 5)
        self.assertEqual(result.failed, 0)


if __name__ == "__main__":
    unittest.main()
