const PROGRAM = /(\bprogram_id"? = )(\$\d+)/g

/**
 * Hides from the planner which program a statement reads, so that it expects one of average size. For a program that was created after
 * the last ANALYZE it would expect one row, and compare all rows with all of each joined table.
 */
export const forAnyProgram = (text: string) => text.replace(PROGRAM, '$1(SELECT $2::integer)')
