import { APPLICATION_FORM } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import { runs } from '../../platform/runs.ts'
import { findApplicationForm, setApplicationForm } from '../application-forms.ts'
import { lockProgram } from '../programs.ts'

export const applicationForm = runs(
  APPLICATION_FORM,
  {},
  {
    get: ({ db, program }) => findApplicationForm(db, program.id),

    set: async ({ tx, program: { id: programId }, clock, audit, body }) => {
      await lockProgram(tx, programId)
      const before = await findApplicationForm(tx, programId)
      await setApplicationForm(tx, programId, body)
      const after = await findApplicationForm(tx, programId)
      const changes = changedFields(before, after)
      if (changes) await audit(tx, { action: 'application form changed', subject: 'program', ...changes, at: clock() })
      return after
    },
  },
)
