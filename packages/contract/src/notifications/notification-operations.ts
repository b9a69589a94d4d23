import { operations } from '../openapi/declaration.ts'
import {
  markReadRequest,
  notificationList,
  notificationPreviews,
  partnerPreferences,
  partnerPreferencesRequest,
  teamPreferences,
  teamPreferencesRequest,
  testedNotification,
  testNotificationRequest,
  waiting,
} from './notifications.ts'

const PROGRAM = '/api/programs/{programId}/notifications'
const PORTAL = '/api/portal/programs/{programId}/notifications'

const LIST = {
  summary: 'List your notifications',
  description: 'Returns the latest notifications for the caller and how many are unread.',
  answer: notificationList,
}
const READ = {
  summary: 'Mark notifications as read',
  description: 'Marks some or all of the caller’s notifications as read, and returns the list.',
  request: markReadRequest,
  bodyIsOptional: true,
  answer: notificationList,
} as const

/** What the badges of the menu show. */
export const WAITING = operations({
  count: {
    method: 'get',
    path: '/api/programs/{programId}/waiting',
    permission: 'program:read',
    summary: 'Count what waits for a person',
    description: 'Counts what a member has to decide, pay or repair. Fast in a program of any size.',
    answer: waiting,
  },
})

/** Notifications of members, and which of them they want. */
export const NOTIFICATIONS = operations({
  list: { method: 'get', path: PROGRAM, permission: 'program:read', ...LIST },
  read: { method: 'post', path: `${PROGRAM}/read`, permission: 'program:read', ...READ, example: { ids: [12, 13] } },
  preferences: {
    method: 'get',
    path: `${PROGRAM}/preferences`,
    permission: 'program:read',
    summary: 'Get your notification preferences',
    description: 'Returns what the caller gets about this program, by email and in the app.',
    answer: teamPreferences,
  },
  changePreferences: {
    method: 'put',
    path: `${PROGRAM}/preferences`,
    permission: 'program:read',
    summary: 'Change your notification preferences',
    description: 'Applies to the caller and this program, from the next notification on.',
    request: teamPreferencesRequest,
    example: {
      kinds: [{ kind: 'application_received', mail: false, app: true }],
    },
    answer: teamPreferences,
  },
})

export const NOTIFICATION_EMAILS = operations({
  preview: {
    method: 'get',
    path: `${PROGRAM}/previews`,
    permission: 'program:update',
    summary: 'Preview every notification email',
    description: 'Returns each email with sample data and the brand of the program, and emails that could not be sent.',
    answer: notificationPreviews,
  },
  sendSample: {
    method: 'post',
    path: `${PROGRAM}/test`,
    permission: 'program:update',
    limit: 'signIn',
    summary: 'Send yourself a sample',
    description: 'Sends one notification email with sample data to the caller.',
    request: testNotificationRequest,
    example: { kind: 'payout_sent' },
    answer: testedNotification,
    errors: ['conflict', 'rate_limited'],
  },
})

/** Notifications of partners, and which of them they want. */
export const PORTAL_NOTIFICATIONS = operations({
  list: { method: 'get', path: PORTAL, caller: 'partner', ...LIST },
  read: { method: 'post', path: `${PORTAL}/read`, caller: 'partner', ...READ, example: { ids: [12] } },
  preferences: {
    method: 'get',
    path: `${PORTAL}/preferences`,
    caller: 'partner',
    summary: 'Get your notification preferences as a partner',
    description: 'Returns what the caller gets from this program, by email and in the portal.',
    answer: partnerPreferences,
  },
  changePreferences: {
    method: 'put',
    path: `${PORTAL}/preferences`,
    caller: 'partner',
    summary: 'Change your notification preferences as a partner',
    description: 'Applies to the caller and this program, from the next notification on.',
    request: partnerPreferencesRequest,
    example: { summary: 'weekly' },
    answer: partnerPreferences,
  },
})
