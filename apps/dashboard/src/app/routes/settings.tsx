import { createRoute, redirect } from '@tanstack/react-router'
import { lazyScreen } from '../lazy-screen.ts'
import { listSearch } from '../list-search.ts'
import { program } from './program.tsx'

/** Renders the settings tabs above each settings screen. */
const settings = createRoute({
  getParentRoute: () => program,
  path: '/settings',
  component: lazyScreen(() => import('~/pages/settings/settings-frame.tsx'), 'SettingsFrame'),
})

const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/programs/$programId/settings/program', params, replace: true })
  },
})

const programSettings = createRoute({
  getParentRoute: () => settings,
  path: '/program',
  component: lazyScreen(() => import('~/pages/settings/program-settings.tsx'), 'ProgramSettings'),
})

const rewards = createRoute({
  getParentRoute: () => settings,
  path: '/rewards',
  validateSearch: listSearch(),
  component: lazyScreen(() => import('~/pages/settings/rewards/rewards.tsx'), 'Rewards'),
})

const groups = createRoute({
  getParentRoute: () => settings,
  path: '/groups',
  component: lazyScreen(() => import('~/pages/groups/groups.tsx'), 'Groups'),
})

const branding = createRoute({
  getParentRoute: () => settings,
  path: '/branding',
  component: lazyScreen(() => import('~/pages/settings/branding/branding.tsx'), 'BrandingSettings'),
})

const applications = createRoute({
  getParentRoute: () => settings,
  path: '/applications',
  component: lazyScreen(() => import('~/pages/settings/applications/applications.tsx'), 'ApplicationSettings'),
})

const legalDetails = createRoute({
  getParentRoute: () => settings,
  path: '/legal-details',
  component: lazyScreen(() => import('~/pages/settings/legal-details.tsx'), 'LegalDetails'),
})

const notifications = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  component: lazyScreen(() => import('~/pages/settings/notifications/notifications.tsx'), 'NotificationSettings'),
})

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  validateSearch: listSearch(['state']),
  component: lazyScreen(() => import('~/pages/api-keys/api-keys.tsx'), 'ApiKeys'),
})

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  validateSearch: listSearch(['endpointId', 'state', 'type', 'delivery']),
  component: lazyScreen(() => import('~/pages/webhooks/webhooks.tsx'), 'Webhooks'),
})

const team = createRoute({
  getParentRoute: () => settings,
  path: '/team',
  validateSearch: listSearch(['search', 'role', 'invitationsPage', 'invitationsSort']),
  component: lazyScreen(() => import('~/pages/settings/team/team.tsx'), 'Team'),
})

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  validateSearch: listSearch(['search', 'userId']),
  component: lazyScreen(() => import('~/pages/settings/audit-log.tsx'), 'AuditLog'),
})

const exports = createRoute({
  getParentRoute: () => settings,
  path: '/exports',
  validateSearch: listSearch(['dateFrom', 'dateTo', 'groupId']),
  component: lazyScreen(() => import('~/pages/settings/exports.tsx'), 'Exports'),
})

export const settingsScreens = settings.addChildren([
  settingsHome,
  programSettings,
  rewards,
  groups,
  branding,
  applications,
  legalDetails,
  notifications,
  apiKeys,
  webhooks,
  team,
  audit,
  exports,
])
