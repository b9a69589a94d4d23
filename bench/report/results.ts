import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { dirname } from 'node:path'
import type { Amounts } from '../fill/fill.ts'
import type { ClientName } from '../load/client.ts'
import type { Deliveries } from '../scenarios/deliveries.ts'
import type { Soak } from '../scenarios/soak.ts'
import type { Figures } from './figures.ts'
import type { TargetResult } from './targets.ts'

export type Results = {
  at: string
  machine: ReturnType<typeof describeMachine>
  run: {
    seconds: number
    rounds: number
    workers: number
    client: ClientName
    filled: Amounts | null
    cold: boolean
    loadBefore: number[]
    loadAfter: number[]
  }
  figures: Figures[]
  targets: TargetResult[]
  soak: Soak | null
  deliveries: Deliveries | null
  proofs: string[]
  faults: string[]
}

/** The machine properties that figures depend on, without identifying it. */
export const describeMachine = () => ({
  processors: cpus().length,
  model: cpus()[0]?.model ?? 'unknown',
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: process.platform,
  bun: Bun.version,
})

export const loadNow = () => loadavg().map((value) => Math.round(value * 10) / 10)

const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value)

export const writeText = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

export const resultsText = (results: Results) => `${JSON.stringify(results, rounded, 2)}\n`
