import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100
const PAGE_BYTES = 4096

/**
 * CPU time of the service and of its Postgres, from the process tree; memory of the largest service process. Null
 * without /proc.
 */
export const usageOf = (root: number) => {
  try {
    const all = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readStat)
    const tree = new Set([root])
    // PIDs wrap, so a child's number may be below its parent's: repeat until nothing is new.
    for (let known = 0; known !== tree.size; ) {
      known = tree.size
      for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid)
    }
    const ours = all.filter(({ pid }) => tree.has(pid))
    const [postgres, service] = [ours.filter((one) => one.isPostgres), ours.filter((one) => !one.isPostgres)]
    return {
      serviceSeconds: secondsOf(service),
      postgresSeconds: secondsOf(postgres),
      rssBytes: Math.max(0, ...service.map(({ pages }) => pages)) * PAGE_BYTES,
    }
  } catch {
    return null
  }
}

type Stat = { pid: number; parent: number; isPostgres: boolean; ticks: number; pages: number }

const secondsOf = (processes: Stat[]) => processes.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND

/** proc_pid_stat(5). The name may contain spaces, so fields are counted after it: the state is 0. */
const readStat = (name: string): Stat[] => {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text
      .slice(end + 2)
      .split(' ')
      .map(Number)
    const of = (index: number) => fields[index] ?? 0
    return [
      {
        pid: Number(name),
        parent: of(1),
        isPostgres: text.slice(text.indexOf('(') + 1, end).startsWith('postgres'),
        // Own time plus that of ended children.
        ticks: of(11) + of(12) + of(13) + of(14),
        pages: of(21),
      },
    ]
  } catch {
    return [] // it ended meanwhile
  }
}
