vim.bo.commentstring = "// %s"
vim.bo.iskeyword = vim.bo.iskeyword .. ",.,#,!,%,@-@"
require("kernelscope").attach(0)
