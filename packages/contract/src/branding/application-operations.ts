import { answerOf } from '../lists.ts'
import { bodyErrors, type Operation, programErrors } from '../openapi/operation.ts'
import {
  applicationForm,
  confirmApplicationRequest,
  confirmedApplication,
  decideApplicationsRequest,
  decidedApplications,
} from './applications.ts'

/** Questions, automatic approval and decisions about applications. */
export const APPLICATION_OPERATIONS: Operation[] = [
  {
    method: 'get',
    path: '/api/programs/{programId}/application-form',
    caller: 'session',
    permission: 'program:read',
    summary: 'Get the application form',
    description: 'Returns the questions on the application page and the rules for automatic approval.',
    answers: [answerOf(applicationForm)],
    refusals: programErrors,
  },
  {
    method: 'put',
    path: '/api/programs/{programId}/application-form',
    caller: 'session',
    permission: 'partner:manage',
    summary: 'Set the application form',
    description: 'Applies to new applications. Earlier answers are kept with their questions.',
    request: applicationForm,
    answers: [answerOf(applicationForm)],
    refusals: [...bodyErrors, ...programErrors],
  },
  {
    method: 'post',
    path: '/api/programs/{programId}/applications/decide',
    caller: 'session',
    permission: 'partner:manage',
    summary: 'Approve or reject applications',
    description: 'Decides on up to 100 pending partners, with an optional message. Others are skipped.',
    request: decideApplicationsRequest,
    answers: [answerOf(decidedApplications)],
    refusals: [...bodyErrors, ...programErrors],
  },
  {
    method: 'post',
    path: '/api/public/applications/confirm',
    caller: 'public',
    summary: 'Confirm the email address of an application',
    description:
      'Called from the link in the email to an applicant. Approves the application if it matches the rules of the program.',
    request: confirmApplicationRequest,
    answers: [answerOf(confirmedApplication)],
    refusals: [...bodyErrors, 'not_found'],
  },
]
