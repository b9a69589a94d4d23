import type { PartnerStatus } from '@tributary/contract'

/** Who calls an operation. */
export type Actor = Member | SignedInPartner | Key | Visitor

/** A signed-in person, in the dashboard. */
export type Member = { kind: 'member' } & Session

/** A person who is signed in to the portal. With `view`, an owner who looks at it as that partner. */
export type SignedInPartner = { kind: 'partner'; view: PartnerView | null } & Session

/** `headers`: what the sign-in library reads the session from. */
type Session = { sessionId: string; headers: Headers } & SignedInUser

/** A program's API key. */
export type Key = { kind: 'key' }

/** Anyone. */
export type Visitor = { kind: 'visitor' }

/** The user that the audit log names; null if there is none. */
export const userOf = (actor: Actor) => (actor.kind === 'member' || actor.kind === 'partner' ? actor.id : null)

export type Partner = {
  partnerId: number
  name: string
  email: string | null
  code: string
  status: PartnerStatus
  archived: boolean
}
export type PartnerView = { partner: Partner & { programId: number }; endsAt: Date }
export type User = { id: string; email: string; name: string }
/** `hasSecondFactor`: this session was opened with a second factor that the user still has. */
export type SignedInUser = User & { hasSecondFactor: boolean }
