import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100
const PAGE_BYTES = 4096

/** What a process has used, and what all processes below it have, which for the service is Postgres. Null without /proc. */
export const usageOf = (root: number) => {
  try {
    const all = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readStat)
    const below = new Set<number>()
    // A child's number is above its parent's only until the numbers wrap, so look until nothing is new.
    for (let known = -1; known !== below.size; ) {
      known = below.size
      for (const { pid, parent } of all) if (parent === root || below.has(parent)) below.add(pid)
    }
    const itself = all.find(({ pid }) => pid === root)
    const seconds = (ticks: number) => ticks / TICKS_PER_SECOND
    return {
      ownSeconds: seconds(itself?.own ?? 0),
      belowSeconds: seconds(all.reduce((sum, one) => sum + (below.has(one.pid) ? one.own + one.reaped : 0), 0)),
      rssBytes: (itself?.pages ?? 0) * PAGE_BYTES,
    }
  } catch {
    return null
  }
}

/** proc_pid_stat(5). The name may hold spaces, so fields are counted from behind it: the state is 0. */
const readStat = (name: string) => {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, userTime = 0, systemTime = 0, reapedUser = 0, reapedSystem = 0, pages = 0] = [
      ...fields.slice(1, 2),
      ...fields.slice(11, 15),
      ...fields.slice(21, 22),
    ]
    return [{ pid: Number(name), parent, own: userTime + systemTime, reaped: reapedUser + reapedSystem, pages }]
  } catch {
    return [] // it ended while we looked
  }
}
