import { answerOf } from '../lists.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
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
} from './notifications.ts'

const PROGRAM = '/api/programs/{programId}/notifications'
const PORTAL = '/api/portal/programs/{programId}/notifications'

const listed = {
  summary: 'List your notifications',
  description: 'Returns the latest notifications for the caller and how many are unread.',
  answers: [answerOf(notificationList)],
  refusals: programErrors,
}
const read = {
  summary: 'Mark notifications as read',
  description: 'Marks some or all of the caller’s notifications as read, and returns the list.',
  request: markReadRequest,
  answers: [answerOf(notificationList)],
  refusals: [...bodyErrors, ...programErrors],
}

/** Notifications of members and partners, and what they want to get. */
export const NOTIFICATION_OPERATIONS: Operation[] = [
  { method: 'get', path: PROGRAM, caller: 'session', permission: 'program:read', ...listed },
  { method: 'post', path: `${PROGRAM}/read`, caller: 'session', permission: 'program:read', ...read },
  {
    method: 'get',
    path: `${PROGRAM}/preferences`,
    caller: 'session',
    permission: 'program:read',
    summary: 'Get your notification preferences',
    description: 'Returns what the caller gets about this program, by email and in the app.',
    answers: [answerOf(teamPreferences)],
    refusals: programErrors,
  },
  {
    method: 'put',
    path: `${PROGRAM}/preferences`,
    caller: 'session',
    permission: 'program:read',
    summary: 'Change your notification preferences',
    description: 'Applies to the caller and this program, from the next notification on.',
    request: teamPreferencesRequest,
    answers: [answerOf(teamPreferences)],
    refusals: [...bodyErrors, ...programErrors],
  },
  {
    method: 'get',
    path: `${PROGRAM}/previews`,
    caller: 'session',
    permission: 'program:update',
    summary: 'Preview every notification email',
    description: 'Returns each email with sample data and the brand of the program, and emails that could not be sent.',
    answers: [answerOf(notificationPreviews)],
    refusals: programErrors,
  },
  {
    method: 'post',
    path: `${PROGRAM}/test`,
    caller: 'session',
    permission: 'program:update',
    summary: 'Send yourself a sample',
    description: 'Sends one notification email with sample data to the caller.',
    request: testNotificationRequest,
    answers: [answerOf(testedNotification)],
    refusals: [...bodyErrors, ...programErrors, 'conflict', 'rate_limited'],
  },
  { method: 'get', path: PORTAL, caller: 'partner', ...listed },
  { method: 'post', path: `${PORTAL}/read`, caller: 'partner', ...read },
  {
    method: 'get',
    path: `${PORTAL}/preferences`,
    caller: 'partner',
    summary: 'Get your notification preferences as a partner',
    description: 'Returns what the caller gets from this program, by email and in the portal.',
    answers: [answerOf(partnerPreferences)],
    refusals: programErrors,
  },
  {
    method: 'put',
    path: `${PORTAL}/preferences`,
    caller: 'partner',
    summary: 'Change your notification preferences as a partner',
    description: 'Applies to the caller and this program, from the next notification on.',
    request: partnerPreferencesRequest,
    answers: [answerOf(partnerPreferences)],
    refusals: [...bodyErrors, ...programErrors],
  },
]
