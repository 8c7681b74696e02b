// Written by `npm run generate` from src/clients/: what each client wants to know of, and how it is answered, when nothing judges.
// clang-format off
#ifndef CLIENTS_H
#define CLIENTS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
  const char *event, *refuses, *passes;
};

struct client {
  const char *id, *project, *unnamed;
  bool in_words;
  const struct words *words;
};

static const struct client CLIENTS[] = {
    {"claude-code", "CLAUDE_PROJECT_DIR", NULL, false,
        (const struct words[]){
            {"PreToolUse",
             "",
             "{\"systemMessage\":\"signalbox: not judged, let pass: {why}\"}"},
            {"PermissionRequest",
             "{\"hookSpecificOutput\":{\"hookEventName\":\"PermissionRequest\",\"decision\":{\"behavior\":\"deny\",\"message\":\"signalbox: this call could not be judged, and the policy refuses it then: {why}. Tell the user; trying again will not help until it is mended.\"}}}",
             "{\"systemMessage\":\"signalbox: not judged, let pass: {why}\"}"},
            {NULL, NULL, NULL}}},
    {"codex-cli", NULL, NULL, false,
        (const struct words[]){
            {"PreToolUse",
             "",
             "{\"systemMessage\":\"signalbox: not judged, let pass: {why}\"}"},
            {"PermissionRequest",
             "",
             "{\"systemMessage\":\"signalbox: not judged, let pass: {why}\"}"},
            {NULL, NULL, NULL}}},
    {"copilot-cli", "COPILOT_PROJECT_DIR", "preToolUse", false,
        (const struct words[]){
            {"preToolUse",
             "{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"signalbox: this call could not be judged, and the policy refuses it then: {why}. Tell the user; trying again will not help until it is mended.\"}",
             ""},
            {"PreToolUse",
             "{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"signalbox: this call could not be judged, and the policy refuses it then: {why}. Tell the user; trying again will not help until it is mended.\"}",
             ""},
            {"permissionRequest",
             "{\"behavior\":\"deny\",\"message\":\"signalbox: this call could not be judged, and the policy refuses it then: {why}. Tell the user; trying again will not help until it is mended.\"}",
             ""},
            {"PermissionRequest",
             "{\"behavior\":\"deny\",\"message\":\"signalbox: this call could not be judged, and the policy refuses it then: {why}. Tell the user; trying again will not help until it is mended.\"}",
             ""},
            {NULL, NULL, NULL}}},
    {"cursor", "CURSOR_PROJECT_DIR", NULL, false,
        (const struct words[]){
            {"preToolUse",
             "",
             "{}"},
            {"PreToolUse",
             "",
             "{}"},
            {"beforeShellExecution",
             "",
             "{}"},
            {"beforeMCPExecution",
             "",
             "{}"},
            {"beforeReadFile",
             "",
             "{}"},
            {NULL, NULL, NULL}}},
    {"gemini-cli", "GEMINI_PROJECT_DIR", NULL, false,
        (const struct words[]){
            {"BeforeTool",
             "",
             "{\"systemMessage\":\"signalbox: not judged, let pass: {why}\"}"},
            {NULL, NULL, NULL}}},
    {"generic", NULL, NULL, true,
        (const struct words[]){
            {"tool.before",
             "{\"decision\":\"block\",\"reason\":\"This call could not be judged, and the policy refuses it then: {why}.\",\"warning\":\"Hook error: {why}\"}",
             "{\"decision\":\"approve\",\"warning\":\"Hook error: {why}\"}"},
            {"permission.request",
             "{\"decision\":\"block\",\"reason\":\"This call could not be judged, and the policy refuses it then: {why}.\",\"warning\":\"Hook error: {why}\"}",
             "{\"decision\":\"approve\",\"warning\":\"Hook error: {why}\"}"},
            {NULL, NULL, NULL}}},
    {"opencode", NULL, NULL, false,
        (const struct words[]){
            {"tool.execute.before",
             "",
             "{\"message\":\"signalbox: not judged, let pass: {why}\"}"},
            {NULL, NULL, NULL}}},
    {"qwen-code", "QWEN_PROJECT_DIR", NULL, false,
        (const struct words[]){
            {"PreToolUse",
             "",
             ""},
            {"PermissionRequest",
             "{\"hookSpecificOutput\":{\"hookEventName\":\"PermissionRequest\",\"decision\":{\"behavior\":\"deny\",\"message\":\"signalbox: this call could not be judged, and the policy refuses it then: {why}. Tell the user; trying again will not help until it is mended.\"}}}",
             ""},
            {NULL, NULL, NULL}}},
};

#endif
