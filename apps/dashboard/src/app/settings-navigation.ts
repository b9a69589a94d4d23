import {
  Bell,
  ClipboardList,
  Download,
  FileClock,
  KeyRound,
  Layers,
  Palette,
  Percent,
  ScrollText,
  SlidersHorizontal,
  UserRoundCog,
  Webhook,
} from 'lucide-react'
import type { Destination } from './navigation.ts'

/** The settings tabs, left to right. The sidebar has one entry for all of them; the command palette lists each. */
export const SETTINGS: Destination[] = [
  {
    label: 'Program',
    to: '/programs/$programId/settings/program',
    icon: SlidersHorizontal,
    permission: 'program:read',
  },
  { label: 'Rewards', to: '/programs/$programId/settings/rewards', icon: Percent, permission: 'program:read' },
  { label: 'Groups', to: '/programs/$programId/settings/groups', icon: Layers, permission: 'program:read' },
  { label: 'Branding', to: '/programs/$programId/settings/branding', icon: Palette, permission: 'program:read' },
  {
    label: 'Applications',
    to: '/programs/$programId/settings/applications',
    icon: ClipboardList,
    permission: 'program:read',
  },
  {
    label: 'Legal details',
    to: '/programs/$programId/settings/legal-details',
    icon: ScrollText,
    permission: 'program:read',
  },
  {
    label: 'Notifications',
    to: '/programs/$programId/settings/notifications',
    icon: Bell,
    permission: 'program:read',
  },
  { label: 'API keys', to: '/programs/$programId/settings/api-keys', icon: KeyRound, permission: 'key:manage' },
  { label: 'Webhooks', to: '/programs/$programId/settings/webhooks', icon: Webhook, permission: 'key:manage' },
  { label: 'Team', to: '/programs/$programId/settings/team', icon: UserRoundCog, permission: 'program:read' },
  { label: 'Audit log', to: '/programs/$programId/settings/audit', icon: FileClock, permission: 'payout:manage' },
  { label: 'Exports', to: '/programs/$programId/settings/exports', icon: Download, permission: 'program:read' },
]
