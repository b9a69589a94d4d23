import type { Operation } from './operation.ts'
import type { ALL_RESOURCES } from './resources.ts'

export * from './resources.ts'

type Resource = Exclude<(typeof ALL_RESOURCES)[number], readonly Operation[]>

type EveryOf<Each> = Each extends unknown ? Each[keyof Each] : never
type Named<Each> = Each extends { method: infer Method extends string; path: infer Path extends string }
  ? { [Name in `${Method} ${Path}`]: Each }
  : never
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** Every declared operation by its method and path. Only types: clients import no schemas. */
export type Declared = Merged<Named<EveryOf<Resource>>>
