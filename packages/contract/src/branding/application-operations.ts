import { operations } from '../openapi/declaration.ts'
import { applicationPage, applied, applyRequest } from '../portal/portal.ts'
import {
  applicationForm,
  confirmApplicationRequest,
  confirmedApplication,
  decideApplicationsRequest,
  decidedApplications,
} from './applications.ts'

const FORM = '/api/programs/{programId}/application-form'

/** Questions and automatic approval. */
export const APPLICATION_FORM = operations({
  get: {
    method: 'get',
    path: FORM,
    permission: 'program:read',
    summary: 'Get the application form',
    description: 'Returns the questions on the application page and the rules for automatic approval.',
    answer: applicationForm,
  },
  set: {
    method: 'put',
    path: FORM,
    permission: 'partner:manage',
    summary: 'Set the application form',
    description: 'Applies to new applications. Earlier answers are kept with their questions.',
    request: applicationForm,
    example: {
      questions: [{ id: 'website', label: 'Where will you promote us?', kind: 'url', required: true }],
      autoApprove: { match: 'any', emailDomains: ['agency.example'] },
    },
    answer: applicationForm,
  },
})

/** Applications without a session, and decisions about them. */
export const APPLICATIONS = operations({
  decide: {
    method: 'post',
    path: '/api/programs/{programId}/applications/decide',
    permission: 'partner:manage',
    summary: 'Approve or reject applications',
    description: 'Decides on up to 100 pending partners, with an optional message. Others are skipped.',
    request: decideApplicationsRequest,
    example: {
      partnerIds: [1],
      decision: 'approved',
      message: 'Welcome aboard!',
    },
    answer: decidedApplications,
  },
  page: {
    method: 'get',
    path: '/api/public/programs/{programId}/application',
    caller: 'public',
    limit: 'visitor',
    summary: 'Get the application page',
    description:
      "Returns the program's name, brand, introduction, questions, agreement and reward terms. 404 if the program does not take applications.",
    answer: applicationPage,
    errors: ['program_not_found'],
  },
  apply: {
    method: 'post',
    path: '/api/public/programs/{programId}/apply',
    caller: 'public',
    limit: 'signIn',
    summary: 'Apply to a program',
    description:
      'Creates an account and a `pending` partner. If the address already has an account, applying needs its password. The response is the same in every case.',
    request: applyRequest,
    example: {
      name: 'Maya Lindqvist',
      email: 'maya@example.com',
      password: 'at least 8 characters',
    },
    answer: applied,
    errors: ['program_not_found', 'rate_limited'],
  },
  confirm: {
    method: 'post',
    path: '/api/public/applications/confirm',
    caller: 'public',
    limit: 'signIn',
    summary: 'Confirm the email address of an application',
    description:
      'Called from the link in the email to an applicant. Approves the application if it matches the rules of the program.',
    request: confirmApplicationRequest,
    example: { token: '1_kT5w0m9cQvF2nXb7hJ4yR8sLdZ3aGpEu' },
    answer: confirmedApplication,
    errors: ['not_found'],
  },
})
