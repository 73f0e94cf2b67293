"""Parts of the comparison of regularisations: cases, measures, matrix, tables, pictures."""
