/** All that a daemon is given of the environment it is started in. What a hook needs comes with each call. */
export const DAEMON_VARIABLES = /^(PATH|HOME|LANG|TZ|XDG_\w+|SIGNALBOX_(?!APPROVAL$|TASK$)\w+)$/
