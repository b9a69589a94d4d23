import type { Role } from '@tributary/contract'

/** What each role may do, in a few words. The service has the list that counts. */
export const ROLE_WORDS: Record<Role, { label: string; may: string }> = {
  owner: { label: 'Owner', may: 'Everything' },
  admin: { label: 'Admin', may: 'Everything, with keys, money and team' },
  member: { label: 'Member', may: 'Partners, links and settings; sees money' },
  viewer: { label: 'Viewer', may: 'Looks, changes nothing' },
  billing: { label: 'Billing', may: 'Money alone, no tracking' },
}

export const INVITABLE = ['admin', 'member', 'viewer', 'billing'] as const
