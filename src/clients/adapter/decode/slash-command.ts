/** `/name` alone or before a space: `/home/dev/a.txt` is a path. An expanded command comes in `<command-…>` tags. */
export const SLASH_COMMAND = /^(?:\/[a-z][\w:.-]*(?:\s|$)|<command-(?:name|message|args)>)/i
