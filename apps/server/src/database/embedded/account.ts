import { spawnSync } from 'node:child_process'

/** The user that runs Postgres. */
export type Account = { uid: number; gid: number }

export const isRoot = () => process.getuid?.() === 0

/** Postgres refuses to run as root, so root uses an account that every system has; none is created. */
export const findAccount = (): Account | null => {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || Number.NaN),
    )
    if (uid && gid) return { uid, gid }
  }
  return null
}

/** Tests access as that user, because mode bits ignore ACLs, mounts and namespaces. */
export const canAccess = (account: Account | null, test: '-r' | '-w' | '-x', path: string) =>
  spawnSync('/bin/sh', ['-c', `cd / && test ${test} "$1"`, 'sh', path], { cwd: '/', ...account }).status === 0

/** Whether that user can read every file in the folder. */
export const canReadAll = (account: Account | null, folder: string) => {
  const script = 'cd "$1" && for file in *; do test -r "$file" || exit 1; done'
  return spawnSync('/bin/sh', ['-c', script, 'sh', folder], { cwd: '/', ...account }).status === 0
}
