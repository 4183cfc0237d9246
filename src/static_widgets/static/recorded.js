"use strict";(()=>{var t={};globalThis.staticWidgets.admit("recorded",t);})();
