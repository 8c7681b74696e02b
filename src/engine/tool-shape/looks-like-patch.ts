/** A patch of the kind that agents apply, or a diff. */
export const isPatch = (text: string): boolean => /^\s*\*\*\* Begin Patch/m.test(text) || isDiff(text)

/** A diff, recognised by its file headers. */
const isDiff = (text: string): boolean =>
  /^diff --git /m.test(text) ||
  (/^--- \S/m.test(text) && /^\+\+\+ \S/m.test(text)) ||
  /^Index: \S/m.test(text) ||
  /^\*\*\* \S[^\n]*\n--- \S/m.test(text)
