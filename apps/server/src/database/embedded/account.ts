import { spawnSync } from 'node:child_process'

/** The user that Postgres runs as, by number. */
export type Account = { uid: number; gid: number }

export const isRoot = () => process.getuid?.() === 0

/** Postgres refuses to be root, so root lends it an account that every system has; none is ever made. */
export const findAccount = (): Account | null => {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || Number.NaN),
    )
    if (uid && gid) return { uid, gid }
  }
  return null
}

/** Asked of the kernel, as that user: mode bits alone know nothing of access lists, mounts and namespaces. */
export const canDo = (account: Account | null, test: '-r' | '-w' | '-x', path: string) =>
  spawnSync('/bin/sh', ['-c', `cd / && test ${test} "$1"`, 'sh', path], { cwd: '/', ...account }).status === 0
