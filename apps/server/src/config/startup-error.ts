/** Something that the person who starts the service can mend. Its message is one sentence, shown without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}

const NOT_WRITABLE = /^(E(ACCES|DQUOT|EXIST|NOENT|NOSPC|NOTDIR|PERM|ROFS)|SQLITE_(CANTOPEN|FULL|READONLY)\w*)$/

const NO_ROOM = ['EDQUOT', 'ENOSPC', 'SQLITE_FULL']

/** For work on files that somebody has named: what the system says of the place is told in one sentence. */
export const orNotWritable = (place: string, error: unknown) => {
  const { code = '' } = error as { code?: string }
  if (!NOT_WRITABLE.test(code)) return error
  const why = NO_ROOM.includes(code) ? 'there is no room' : code
  return new StartupError(
    `${place} cannot be written (${why}): name a folder that is there, has room and may be written.`,
  )
}
