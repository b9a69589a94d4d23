/** An error that the operator can fix. Its message is one sentence, shown without a stack trace. */
export class StartupError extends Error {
  override name = 'StartupError'
}

const NOT_WRITABLE = /^(E(ACCES|DQUOT|EXIST|NOENT|NOSPC|NOTDIR|PERM|ROFS)|SQLITE_(CANTOPEN|FULL|READONLY)\w*)$/

const DISK_FULL = ['EDQUOT', 'ENOSPC', 'SQLITE_FULL']

/** Turns a file system error on a path that the operator chose into a StartupError. */
export const explainWriteError = (path: string, error: unknown) => {
  const { code = '' } = error as { code?: string }
  if (!NOT_WRITABLE.test(code)) return error
  const reason = DISK_FULL.includes(code) ? 'the disk is full' : code
  return new StartupError(`Cannot write to ${path} (${reason}). Choose an existing, writable folder with free space.`)
}
