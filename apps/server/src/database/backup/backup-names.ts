/** Names that we give to backups in a folder: `tributary-20261118T101500Z.backup`. Sorted, they are in order of time. */
const OUR_NAME = /^tributary-\d{8}T\d{6}Z\.backup$/

export const nameBackup = (at: Date) => `tributary-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`

/** Only names that we gave, newest first: an operator's own files are not ours to choose or remove. */
export const newestFirst = (names: string[]) =>
  names
    .filter((name) => OUR_NAME.test(name))
    .toSorted()
    .toReversed()
