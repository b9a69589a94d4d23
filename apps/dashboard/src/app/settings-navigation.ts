import {
  Bell,
  ClipboardList,
  CreditCard,
  Download,
  FileClock,
  FileText,
  Inbox,
  KeyRound,
  Palette,
  Percent,
  Radar,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
  UserRoundCog,
  Webhook,
} from 'lucide-react'
import type { Destination } from './navigation.ts'

const BASE = '/programs/$programId/settings'

const SECTIONS = [
  'details',
  'tracking',
  'rewards',
  'branding',
  'applications',
  'agreement',
  'notifications',
  'legal-details',
  'api-keys',
  'webhooks',
  'payment-processors',
  'events-received',
  'team',
  'security',
  'audit-log',
  'exports',
] as const

export type SettingsAddress = `${typeof BASE}/${(typeof SECTIONS)[number]}`

/** The settings, top to bottom. The menu has one line for all of them; the command palette lists each. */
export const SETTINGS: { title: string; sections: Destination[] }[] = [
  {
    title: 'Program',
    sections: [
      { label: 'Details', to: `${BASE}/details`, icon: SlidersHorizontal, permission: 'program:read' },
      { label: 'Tracking', to: `${BASE}/tracking`, icon: Radar, permission: 'program:read' },
      { label: 'Rewards', to: `${BASE}/rewards`, icon: Percent, permission: 'program:read' },
      { label: 'Branding', to: `${BASE}/branding`, icon: Palette, permission: 'program:read' },
    ],
  },
  {
    title: 'Partners',
    sections: [
      { label: 'Applications', to: `${BASE}/applications`, icon: ClipboardList, permission: 'program:read' },
      { label: 'Agreement', to: `${BASE}/agreement`, icon: FileText, permission: 'program:read' },
      { label: 'Notifications', to: `${BASE}/notifications`, icon: Bell, permission: 'program:read' },
      { label: 'Legal details', to: `${BASE}/legal-details`, icon: ScrollText, permission: 'program:read' },
    ],
  },
  {
    title: 'Developers',
    sections: [
      { label: 'API keys', to: `${BASE}/api-keys`, icon: KeyRound, permission: 'key:manage' },
      { label: 'Webhooks', to: `${BASE}/webhooks`, icon: Webhook, permission: 'key:manage' },
      {
        label: 'Payment processors',
        to: `${BASE}/payment-processors`,
        icon: CreditCard,
        permission: 'tracking:list',
      },
      {
        label: 'Events received',
        to: `${BASE}/events-received`,
        icon: Inbox,
        permission: 'tracking:list',
        keywords: ['inbox', 'replay'],
      },
    ],
  },
  {
    title: 'Workspace',
    sections: [
      { label: 'Team', to: `${BASE}/team`, icon: UserRoundCog, permission: 'program:read' },
      { label: 'Security', to: `${BASE}/security`, icon: ShieldCheck, permission: 'program:read' },
      { label: 'Audit log', to: `${BASE}/audit-log`, icon: FileClock, permission: 'payout:manage' },
      { label: 'Exports', to: `${BASE}/exports`, icon: Download, permission: 'program:read' },
    ],
  },
]
