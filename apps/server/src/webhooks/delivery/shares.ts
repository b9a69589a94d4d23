/**
 * How many more deliveries a workspace may take. It never holds more than a third of the free places, so at most a quarter of an idle
 * process. However many workspaces have slow endpoints, there is always a free place for another.
 */
const shareOf = (held: number, free: number) => Math.max(0, Math.ceil((free - 3 * held) / 4))

type Place = { workspaceId: string }

type Capacity = {
  /** Deliveries that this process can still hold. */
  free: number
  /** Deliveries in memory by workspace. */
  heldBy: Map<string, number>
}

/** Workspaces that have used up their share. */
export const workspacesAtLimit = ({ free, heldBy }: Capacity) =>
  [...heldBy].filter(([, held]) => shareOf(held, free) === 0).map(([workspaceId]) => workspaceId)

/** How many deliveries each lane may take within its workspace's share. Lanes without any are left out. */
export const divide = <Lane extends Place>(lanes: Lane[], { free, heldBy }: Capacity) => {
  const ofAll = Math.max(1, Math.floor(free / Math.max(1, lanes.length)))
  return Map.groupBy(lanes, ({ workspaceId }) => workspaceId)
    .entries()
    .flatMap(([workspaceId, own]) => {
      const share = shareOf(heldBy.get(workspaceId) ?? 0, free)
      const served = own.slice(0, share)
      return served.map((lane) => ({ ...lane, more: Math.min(Math.floor(share / served.length), ofAll) }))
    })
    .toArray()
}
