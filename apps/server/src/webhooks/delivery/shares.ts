/**
 * How many more deliveries a workspace may take. It never holds more than a third of the free places, so at most a quarter of an idle
 * process. However many workspaces have slow endpoints, there is always room for another.
 */
const shareOf = (held: number, room: number) => Math.max(0, Math.ceil((room - 3 * held) / 4))

type Place = { workspaceId: string }

type Room = {
  /** Deliveries that this process can still hold. */
  room: number
  /** Deliveries in memory by workspace. */
  heldBy: Map<string, number>
}

/** Workspaces that have used up their share. */
export const haveTheirShare = ({ room, heldBy }: Room) =>
  [...heldBy].filter(([, held]) => shareOf(held, room) === 0).map(([workspaceId]) => workspaceId)

/** How many deliveries each lane may take within its workspace's share. Lanes without any are left out. */
export const divide = <Lane extends Place>(lanes: Lane[], { room, heldBy }: Room) => {
  const ofAll = Math.max(1, Math.floor(room / Math.max(1, lanes.length)))
  return Map.groupBy(lanes, ({ workspaceId }) => workspaceId)
    .entries()
    .flatMap(([workspaceId, own]) => {
      const share = shareOf(heldBy.get(workspaceId) ?? 0, room)
      const served = own.slice(0, share)
      return served.map((lane) => ({ ...lane, more: Math.min(Math.floor(share / served.length), ofAll) }))
    })
    .toArray()
}
